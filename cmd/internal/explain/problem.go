package explain

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
)

// A problem is a message about a path. In its text, WAS, NOW and OLD stand for values, and KEY for
// a quoted key or a position. The text before the bar identifies it, if the rest is cut off.
type problem struct {
	text string
	rule objchange.Rule
	// keyed means that the path ends with the key. Findings have the key in the message.
	keyed bool
	// was and now are the values that the words imply, if the text has no values.
	was, now string
	tokens   []string // the text without white space in lower case, split into literals and names of values
	needed   int      // the number of tokens that identify the problem
}

var nameOfValue = regexp.MustCompile(`WAS|NOW|KEY|OLD`)

func tokenized(all []problem) []problem {
	tokens := func(text string) []string { return strings.Fields(nameOfValue.ReplaceAllString(text, " $0 ")) }
	for i := range all {
		identifies, rest, _ := strings.Cut(strings.ReplaceAll(all[i].text, " ", ""), "|")
		all[i].tokens, all[i].needed = append(tokens(identifies), tokens(rest)...), len(tokens(identifies))
	}
	return all
}

// unknown is the text for an unknown value.
const unknown = "(unknown)"

// problems are all problems. The first one that matches counts.
var problems = tokenized([]problem{
	{text: "planned value for write-only| attribute is not null", rule: objchange.RuleWriteOnlyNotNull},
	{text: "planned value NOW does not match config| value WAS nor prior value OLD", rule: objchange.RulePlanNotConfig},
	{text: "planned value NOW for a non-computed| attribute", rule: objchange.RulePlanNotComputed, was: "null"},
	{text: "planned value NOW for unknown| dynamic block", rule: objchange.RulePlanDynamicBlock, was: unknown},
	{text: "sensitive planned value does not match| config value", rule: objchange.RulePlanNotConfig},
	{text: "sensitive planned value for a| non-computed attribute", rule: objchange.RulePlanNotComputed},
	{text: "planned for absence| but config wants existence", rule: objchange.RulePlanAbsent, now: "null"},
	{text: "planned for existence| but config wants absence", rule: objchange.RulePlanPresent, was: "null"},
	{text: "planned unknown for| configured value", rule: objchange.RulePlanUnknownNested, now: unknown},
	{text: "attribute representing nested block| must not be unknown itself",
		rule: objchange.RulePlanUnknownBlocks, now: unknown},
	{text: "planned unknown value| for non-computed block", rule: objchange.RulePlanUnknownBlocks, now: unknown},
	{text: "element representing nested block| must not be unknown itself",
		rule: objchange.RulePlanUnknownBlock, now: unknown},
	{text: "attribute representing a KEY| of nested blocks must be empty to indicate no blocks, not null",
		rule: objchange.RulePlanNullBlocks, now: "null"},
	{text: "block count in plan| (NOW) disagrees with count in config (WAS)", rule: objchange.RulePlanCount},
	{text: "count in plan| (NOW) disagrees with count in config (WAS)", rule: objchange.RulePlanCount},
	{text: "block key KEY from| OLD", rule: objchange.RulePlanKey, keyed: true},
	{text: "map key KEY from| OLD", rule: objchange.RulePlanKey, keyed: true},
	{text: "was known,| but now unknown", rule: objchange.RuleInconsistentUnknown, now: unknown},
	{text: "was present,| but now absent", rule: objchange.RuleInconsistentPresence, now: "null"},
	{text: "was absent,| but now present", rule: objchange.RuleInconsistentPresence, was: "null"},
	{text: "root KEY was present,| but now absent", rule: objchange.RuleInconsistentPresence, now: "null"},
	{text: "root KEY was absent,| but now present", rule: objchange.RuleInconsistentPresence, was: "null"},
	{text: "was WAS, but| now NOW", rule: objchange.RuleInconsistentValue},
	{text: "was WAS but| now NOW", rule: objchange.RuleInconsistentValue},
	{text: "inconsistent values| for sensitive attribute", rule: objchange.RuleInconsistentSensitive},
	{text: "wrong final value type:| OLD", rule: objchange.RuleInconsistentType},
	{text: "final value| NOW does not conform to planning placeholder WAS", rule: objchange.RuleInconsistentRefinement},
	{text: "block count changed| from WAS to NOW", rule: objchange.RuleInconsistentCount},
	{text: "block set length| changed from WAS to NOW", rule: objchange.RuleInconsistentCount},
	{text: "length changed| from WAS to NOW", rule: objchange.RuleInconsistentCount},
	{text: "block key KEY has vanished", rule: objchange.RuleInconsistentKey},
	{text: "new block key KEY has appeared", rule: objchange.RuleInconsistentKey},
	{text: "element KEY has vanished", rule: objchange.RuleInconsistentKey},
	{text: "new element KEY has appeared", rule: objchange.RuleInconsistentKey},
	{text: "planned set element| WAS does not correlate with any element in actual",
		rule: objchange.RuleInconsistentSetElement},
	{text: "actual set element| NOW does not correlate with any element in plan",
		rule: objchange.RuleInconsistentSetElement},
	{text: "the returned state contains| unknown values", rule: objchange.RuleStateUnknown, now: unknown},
	{text: "missing required attribute KEY", rule: objchange.RuleTypeMismatch},
	{text: "unsupported attribute KEY", rule: objchange.RuleTypeMismatch},
	{text: "attribute KEY is required", rule: objchange.RuleTypeMismatch},
})

// A match is the result of matching a problem with a text.
type match struct {
	*problem
	end   int               // in the text
	holes map[string][2]int // positions of values
}

// match matches as many tokens of the problem as possible.
func (p *problem) match(text string) (m match, ok bool) {
	m = match{problem: p}
	if !strings.HasPrefix(text, p.tokens[0]) {
		return m, false
	}
	m.holes = map[string][2]int{}
	for i, token := range p.tokens {
		n, rest, next := 0, text[m.end:], ""
		if i+1 < len(p.tokens) {
			next = p.tokens[i+1]
		}
		switch {
		case token == "OLD": // any text, which is not read
			n = max(codeEnd(rest), strings.IndexAny(rest+".", ".,;"))
		case token == "WAS" || token == "NOW" || token == "KEY":
			if n = valueEnd(rest, next); n == 0 && i >= p.needed {
				n = valueEnd(rest, "")
			}
		case strings.HasPrefix(rest, token):
			n = len(token)
		}
		if n == 0 {
			return m, i >= p.needed
		}
		m.holes[token] = [2]int{m.end, m.end + n}
		m.end += n
	}
	return m, true
}

// maxWord is the maximum length of a value that is not code.
const maxWord = 200

// word matches a value that is not code, such as null, a number or the replacement of a hidden
// value. Only a full stop shows that another word is not cut off.
var word = regexp.MustCompile(`^(?:(?:null|true|false|-?\d+(?:\.\d+)?)(?:[^a-z0-9]|$)|\([^()]*\)|` +
	redacted + `|[^.,;:\s]+[.,;])`)

// valueEnd returns the length of the value at the beginning of a text before next. The value is Go
// code, or a word. It returns 0 if the value is cut off, or if another text follows.
func valueEnd(text, next string) int {
	n := codeEnd(text)
	switch {
	case n > 0 && strings.HasPrefix(text[n:], next):
		return n
	case n > 0 || strings.HasPrefix(text, "cty."):
		return 0
	case next != "":
		return max(0, strings.Index(text[:min(len(text), maxWord)], next))
	}
	return len(strings.TrimRight(word.FindString(text[:min(len(text), maxWord)]), "`'\".,;:\n"))
}

// pathProblem reads a path, a colon and a problem between i and j, and returns where they end.
func (r *reader) pathProblem(e *Error, i, j int) int {
	text := r.low[i:j]
	longest := len(pathAtStart().FindString(r.text[i:j]))
	for at := 0; at <= min(longest+1, len(text)); at++ {
		if at > 0 && text[at-1] != ':' && !(at <= longest && at < len(text) && r.spaced(i+at)) {
			continue
		}
		for k := range problems {
			if m, ok := problems[k].match(text[at:]); ok {
				r.problem(e, m, i, i+at)
				return i + at + m.end
			}
		}
	}
	if m := nonconforming().FindStringSubmatchIndex(r.text[i:min(j, i+maxDetail)]); m != nil {
		e.Rule, e.Path = objchange.RuleTypeMismatch, pathOf(r.joined(i+m[2], i+m[3]))
		e.Message = strings.TrimLeft(r.dense.sentence(i+m[3], i+m[1]), ": ")
		return i + m[1]
	}
	if strings.HasPrefix(text, ".") && (longest == len(text) || text[longest] == ':') {
		e.Path = pathOf(r.joined(i, i+longest))
	}
	return i
}

// nonconforming matches the end of an error about a value of another type. The text about types may
// be any.
var nonconforming = lazy(`^((?:(?:\.[^.\[\]:"]+|` + index + `)+)?):?[^.]{0,300}?required(?:[.;,(]|$)`)

// problem sets the fields of the error for the problem that begins at j, after the path that begins
// at i.
func (r *reader) problem(e *Error, m match, i, j int) {
	end := i + len(strings.TrimRight(r.text[i:j], ":"))
	if key := r.text[j+m.holes["KEY"][0] : j+m.holes["KEY"][1]]; m.keyed { // the path may end with the key
		path := strings.TrimSuffix(strings.TrimSuffix(r.text[i:end], "["+key+"]"), "."+strings.Trim(key, `"`))
		end = i + len(path)
	}
	e.Rule, e.Path = m.rule, pathOf(r.joined(i, end))
	if m.rule == objchange.RulePlanAbsent && e.Path == "" && e.Phase == objchange.PhaseRead {
		e.Rule = objchange.RuleDataNull // of an ephemeral resource
	}
	e.Message = r.dense.sentence(j, j+m.end)
	code := func(name string) string {
		from, to := j+m.holes[name][0], j+m.holes[name][1]
		if strings.HasPrefix(r.text[from:], "(") {
			return r.dense.sentence(from, to)
		}
		return r.joined(from, to)
	}
	was, now := shown(code("WAS"), code("NOW"))
	e.Was, e.Now = cmp.Or(was, m.was), cmp.Or(now, m.now)
	for name, at := range m.holes {
		if text := r.dense.sentence(j+at[0], j+at[1]); len(text) > maxCode && nameOfValue.MatchString(name) {
			e.long = append(e.long, text, words.Short(text, maxCode))
		}
	}
}

// list reads a list of problems between i and j, which follows the sentence of the error. Each item has
// one problem.
func (r *reader) list(e Error, i, j int) (all []Error) {
	if at := anotherMessage.FindStringIndex(r.low[i:j]); at != nil {
		j = i + at[0]
	}
	items := slices.DeleteFunc(dash.FindAllStringIndex(r.low[i:j], -1), func(m []int) bool {
		return !r.spaced(i+m[0]) || !r.spaced(i+m[0]+1)
	})
	for k, m := range items {
		one, from, to := e, i+m[0]+1, j
		if k+1 < len(items) {
			to = i + items[k+1][0]
		}
		if stop := r.pathProblem(&one, from, to); one.Rule != "" {
			one.Sentence += ": " + r.dense.sentence(from, stop)
			all = append(all, one)
		}
	}
	if all == nil { // the list is cut off
		return []Error{e}
	}
	return all
}

var (
	// dash matches the beginning of an item.
	dash = regexp.MustCompile(`-(?:\.[\pL_]|planned|sensitive|root|was|attribute)`)
	// anotherMessage matches the beginning of another message.
	anotherMessage = regexp.MustCompile(`\[(?:trace|debug|info|warn|error)\]`)
)

var (
	codeBegins = lazy(`(?i)^cty\.(?:True|False|Zero|DynamicVal|EmptyObjectVal|EmptyTupleVal|` +
		`PositiveInfinity|NegativeInfinity|NilVal|\w+\()`)
	codeGoesOn = regexp.MustCompile(`^\.\w+\(`)
	quoted     = regexp.MustCompile(`^"(?:[^"\\]|\\.)*"`)
)

// codeEnd returns the length of the Go code of a value or of a quoted string at the beginning of a
// dense text, or 0.
func codeEnd(text string) int {
	n := len(codeBegins().FindString(text))
	if n == 0 {
		return len(quoted.FindString(text))
	}
	for text[n-1] == '(' {
		inside := bracketsEnd(text[n:])
		if inside == 0 {
			return 0
		}
		n += inside
		n += len(codeGoesOn.FindString(text[n:]))
	}
	return n
}

// bracketsEnd returns the length of the text after an opening bracket, including the closing
// bracket, or 0.
func bracketsEnd(text string) int {
	depth, quoted := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("({[", c) >= 0:
			depth++
		case strings.IndexByte(")}]", c) >= 0:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
