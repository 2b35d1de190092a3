package explain

import (
	"regexp"
	"strings"

	"github.com/objchange/objchange"
)

var (
	// with matches the line below the summary that has the address of the resource.
	with = regexp.MustCompile(`with(` + resource + `),(?:on|[A-Z"]|$)`)
	// vertex matches the address of the resource of an error in a log.
	vertex = regexp.MustCompile(`vertex"((?:[^"\\]|\\.)*)"error:$`)
	// logLine matches the beginning of another message in a log.
	logLine = regexp.MustCompile(`^\s*(?:\[(?:TRACE|DEBUG|INFO|WARN|ERROR)\]|\{"@|Error:)`)
	// decoded matches the error of a value that cannot be decoded.
	decoded = regexp.MustCompile(`Error:anobjectwith\d+attributes?(?:is|are)required\(\d+given\)`)
)

// complete sets the address and the summary from the text before a sentence in the same error. It
// keeps values that are already set.
func (e *Error) complete(d dense, at int) {
	before := d.text[max(0, at-2000):at]
	if i := strings.LastIndex(before, "Error:"); i >= 0 {
		before = before[i:]
	}
	offset := at - len(before)
	if all := with.FindAllStringSubmatchIndex(before, -1); e.Address == "" && len(all) > 0 {
		m := all[len(all)-1]
		e.Address = wrapping{dense: d}.joined(offset+m[2], offset+m[3])
	}
	if m := bare.FindStringIndex(before); e.Summary == "" && e.Enforced && m != nil {
		e.Summary, e.Phase = summaryOf(before[m[0]:m[1]])
	}
}

// summaryOf returns the summary in dense text, and its phase.
func summaryOf(text string) (string, objchange.Phase) {
	for summary, phase := range summaries {
		if strings.EqualFold(strings.ReplaceAll(summary, " ", ""), text) {
			return summary, phase
		}
	}
	return "", ""
}

// summaryAt returns the error for a summary without a sentence. It also reports whether the summary
// begins an error, because a text may also mention errors.
func summaryAt(d dense, m []int) (e Error, ok bool) {
	e.Summary, e.Phase = summaryOf(d.text[m[0]:m[1]])
	e.Enforced = true
	above := d.text[max(0, m[0]-500):m[0]]
	if v := vertex.FindStringSubmatch(above); v != nil {
		e.Address, _ = splitPlace(strings.ReplaceAll(v[1], `\"`, `"`))
		e.logged = true
	}
	return e, strings.HasSuffix(strings.ToLower(above), "error:")
}

// undecoded returns the errors about values that Terraform cannot decode.
func undecoded(d dense) (found []foundAt) {
	for _, m := range decoded.FindAllStringIndex(d.text, -1) {
		e := Error{Rule: objchange.RuleTypeMismatch, Enforced: true, Sentence: wrapping{dense: d}.sentence(m[0]+len("Error:"), m[1])}
		found = append(found, foundAt{e, m[0]})
	}
	return found
}
