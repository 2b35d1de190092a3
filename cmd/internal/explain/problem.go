package explain

import (
	"regexp"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// A problem is a message about a path. In its text, WAS, NOW and OLD stand for values, and KEY for
// a quoted key or a position.
type problem struct {
	text string
	rule objchange.Rule
	// whole means that the problem is about the whole object, so the path must be empty.
	whole bool
	// keyed means that the path ends with the key. Findings have the key in the message.
	keyed bool
	// was and now are the values that the words imply, if the text has no values.
	was, now string
	dense    []string // the text without white space, split into literals and names of values
}

func problems(all ...problem) []problem {
	for i := range all {
		all[i].dense = tokens(strings.ReplaceAll(all[i].text, " ", ""))
	}
	return all
}

// tokens splits a text into literals and names of values.
func tokens(text string) (all []string) {
	for text != "" {
		at, found := len(text), ""
		for _, hole := range []string{"WAS", "NOW", "KEY", "OLD"} {
			if i := strings.Index(text, hole); i >= 0 && i < at {
				at, found = i, hole
			}
		}
		if at > 0 {
			all = append(all, strings.ToLower(text[:at]))
		}
		if found != "" {
			all = append(all, found)
		}
		text = text[at+len(found):]
	}
	return all
}

// unknown is the text for an unknown value.
const unknown = "(unknown)"

// plans are the problems of plans.
var plans = append(problems(
	problem{text: "planned value for write-only attribute is not null", rule: objchange.RuleWriteOnlyNotNull},
	problem{text: "planned value NOW does not match config value WAS nor prior value OLD", rule: objchange.RulePlanNotConfig},
	problem{text: "planned value NOW does not match config value WAS", rule: objchange.RulePlanNotConfig},
	problem{text: "planned value NOW for a non-computed attribute", rule: objchange.RulePlanNotComputed, was: "null"},
	problem{text: "planned value NOW for unknown dynamic block", rule: objchange.RulePlanDynamicBlock, was: unknown},
	problem{text: "sensitive planned value does not match config value", rule: objchange.RulePlanNotConfig},
	problem{text: "sensitive planned value for a non-computed attribute", rule: objchange.RulePlanNotComputed},
	problem{text: "planned for absence but config wants existence", rule: objchange.RulePlanAbsent, now: "null"},
	problem{text: "planned for existence but config wants absence", rule: objchange.RulePlanPresent, was: "null"},
	problem{text: "planned unknown for configured value", rule: objchange.RulePlanUnknownNested, now: unknown},
	problem{text: "attribute representing nested block must not be unknown itself", rule: objchange.RulePlanUnknownBlocks, now: unknown},
	problem{text: "element representing nested block must not be unknown itself", rule: objchange.RulePlanUnknownBlock, now: unknown},
	problem{text: "attribute representing a list of nested blocks must be empty to indicate no blocks, not null", rule: objchange.RulePlanNullBlocks, now: "null"},
	problem{text: "attribute representing a set of nested blocks must be empty to indicate no blocks, not null", rule: objchange.RulePlanNullBlocks, now: "null"},
	problem{text: "attribute representing a map of nested blocks must be empty to indicate no blocks, not null", rule: objchange.RulePlanNullBlocks, now: "null"},
	problem{text: "block count in plan (NOW) disagrees with count in config (WAS)", rule: objchange.RulePlanCount},
	problem{text: "count in plan (NOW) disagrees with count in config (WAS)", rule: objchange.RulePlanCount},
	problem{text: "block key KEY from plan is not present in config", rule: objchange.RulePlanKey, keyed: true},
	problem{text: "block key KEY from config is not present in plan", rule: objchange.RulePlanKey, keyed: true},
	problem{text: "map key KEY from plan is not present in config", rule: objchange.RulePlanKey, keyed: true},
	problem{text: "map key KEY from config is not present in plan", rule: objchange.RulePlanKey, keyed: true},
), values...)

// opens are the problems of opened ephemeral resources.
var opens = append(problems(
	problem{text: "planned for absence but config wants existence", rule: tfcheck.RuleDataNull, now: "null", whole: true},
), plans...)

// changes are the problems of changed values.
var changes = append(problems(
	problem{text: "was known, but now unknown", rule: objchange.RuleInconsistentUnknown, now: unknown},
	problem{text: "was present, but now absent", rule: objchange.RuleInconsistentPresence, now: "null"},
	problem{text: "was absent, but now present", rule: objchange.RuleInconsistentPresence, was: "null"},
	problem{text: "root object was present, but now absent", rule: objchange.RuleInconsistentPresence, now: "null"},
	problem{text: "root object was absent, but now present", rule: objchange.RuleInconsistentPresence, was: "null"},
	problem{text: "root resource was present, but now absent", rule: objchange.RuleInconsistentPresence, now: "null"},
	problem{text: "root resource was absent, but now present", rule: objchange.RuleInconsistentPresence, was: "null"},
	problem{text: "was WAS, but now NOW", rule: objchange.RuleInconsistentValue},
	problem{text: "inconsistent values for sensitive attribute", rule: objchange.RuleInconsistentSensitive},
	problem{text: "wrong final value type: OLD", rule: objchange.RuleInconsistentType},
	problem{text: "final value NOW does not conform to planning placeholder WAS", rule: objchange.RuleInconsistentRefinement},
	problem{text: "block count changed from WAS to NOW", rule: objchange.RuleInconsistentCount},
	problem{text: "block set length changed from WAS to NOW", rule: objchange.RuleInconsistentCount},
	problem{text: "length changed from WAS to NOW", rule: objchange.RuleInconsistentCount},
	problem{text: "block key KEY has vanished", rule: objchange.RuleInconsistentKey},
	problem{text: "new block key KEY has appeared", rule: objchange.RuleInconsistentKey},
	problem{text: "element KEY has vanished", rule: objchange.RuleInconsistentKey},
	problem{text: "new element KEY has appeared", rule: objchange.RuleInconsistentKey},
	problem{text: "planned set element WAS does not correlate with any element in actual", rule: objchange.RuleInconsistentSetElement},
	problem{text: "actual set element NOW does not correlate with any element in plan", rule: objchange.RuleInconsistentSetElement},
), values...)

// values are the problems of values that do not conform to the schema or are unknown.
var values = problems(
	problem{text: "the returned state contains unknown values", rule: objchange.RuleStateUnknown, now: unknown},
	problem{text: "missing required attribute KEY", rule: objchange.RuleTypeMismatch},
	problem{text: "unsupported attribute KEY", rule: objchange.RuleTypeMismatch},
	problem{text: "attribute KEY is required", rule: objchange.RuleTypeMismatch},
)

// A match is the result of matching a problem with a text.
type match struct {
	*problem
	end   int               // in the text
	holes map[string][2]int // positions of values
	whole bool              // the text contains the whole problem
	depth int               // number of matched tokens
}

// matchProblem returns the problem at the beginning of a dense text.
func matchProblem(text string, all []problem) (match, bool) {
	for i := range all {
		if m := all[i].match(text); m.whole {
			return m, true
		}
	}
	return match{}, false
}

// matchCut returns the problem at the beginning of a dense text that is cut off. All problems with
// the same beginning must have the same rule.
func matchCut(text string, all []problem) (best match, ok bool) {
	for i := range all {
		switch m := all[i].match(text); {
		case m.depth > best.depth:
			best, ok = m, true
		case m.depth == best.depth && ok && m.rule != best.rule:
			ok = false
		}
	}
	return best, ok
}

// match matches as many tokens of the problem as possible.
func (p *problem) match(text string) match {
	m := match{problem: p, holes: map[string][2]int{}}
	for i, token := range p.dense {
		switch token {
		case "WAS", "NOW", "KEY", "OLD":
			next := ""
			if i+1 < len(p.dense) {
				next = p.dense[i+1]
			}
			n := valueEnd(text[m.end:], next)
			if n <= 0 {
				return m
			}
			m.holes[token] = [2]int{m.end, m.end + n}
			m.end += n
		default:
			if !hasPrefixFold(text[m.end:], token) {
				return m
			}
			m.end += len(token)
		}
		m.depth++
	}
	m.whole = true
	return m
}

// maxValue limits the search for the end of a value that is not Go code.
const maxValue = 4000

// valueEnd returns the length of the value at the beginning of a dense text. The value is Go code,
// or any text before next. It returns -1 if next is missing.
func valueEnd(text, next string) int {
	if n := codeEnd(text); n > 0 {
		if !hasPrefixFold(text[n:], next) {
			return -1
		}
		return n
	}
	limit := min(len(text), maxValue)
	if next == "" && strings.HasPrefix(text, "cty.") {
		return -1 // it is cut off
	}
	if next == "" {
		if i := strings.IndexAny(text[:limit], ".,;"); i >= 0 {
			return i
		}
		return limit
	}
	return strings.Index(strings.ToLower(text[:limit]), next)
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

var (
	codeBegins = regexp.MustCompile(`^(?:cty\.(?:True|False|Zero|DynamicVal|EmptyObjectVal|EmptyTupleVal|PositiveInfinity|NegativeInfinity|NilVal)|cty\.[A-Z]\w*\()`)
	codeGoesOn = regexp.MustCompile(`^\.(?:Refine|NotNull|Null|NewValue|StringPrefix|Number|Collection|Mark|WithMarks|With)\w*\(`)
)

// codeEnd returns the length of the Go code of a value or of a quoted string at the beginning of a
// dense text, or 0.
func codeEnd(text string) int {
	if strings.HasPrefix(text, `"`) {
		return quotedEnd(text)
	}
	n := len(codeBegins.FindString(text))
	for n > 0 {
		if text[n-1] == '(' {
			inside := bracketsEnd(text[n:])
			if inside == 0 {
				return 0
			}
			n += inside
		}
		more := len(codeGoesOn.FindString(text[n:]))
		if more == 0 {
			return n
		}
		n += more
	}
	return 0
}

// bracketsEnd returns the length of the text after an opening bracket, including the closing
// bracket, or 0.
func bracketsEnd(text string) int {
	depth := 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			n := quotedEnd(text[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// quotedEnd returns the length of the quoted string at the beginning, or 0.
func quotedEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
