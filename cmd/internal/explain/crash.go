package explain

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/objchange/objchange"
)

// A Frame is a function in the stack trace of a crash.
type Frame struct {
	Function string `json:"function"`
	At       string `json:"at,omitempty"` // the file and the line
}

const maxTrace = 60 // lines of a trace in a report

var (
	traceOf = regexp.MustCompile(`Stack trace from the ` + plugin + ` plugin:`)
	// inLog is the text that Terraform's log has before each line of a trace.
	inLog    = `^(?:.*?(?:plugin|provider)\.terraform-provider-\S+:? ?)?`
	panics   = regexp.MustCompile(`(?m)` + inLog + `(?:panic|fatal error): (.*?)(?: \[recovered\])?$`)
	function = regexp.MustCompile(inLog + `((?:[\w.~%-]+/)*[\w.~%-]+\.(?:\(\*[^()]+\)|[^\s()])+)\(.*\)$`)
	file     = lazy(inLog + `\S.*?([^/\\]+\.go:\d+)(?: \+0x[0-9a-f]+)?$`)
	request  = regexp.MustCompile(`\(\*\w*[sS]erver\)\.(\w+)$`)
	// foreign matches functions of the runtime and of packages that all providers have. The first
	// part of the path of a package of Go has no dot.
	foreign = regexp.MustCompile(`^(?:[^./]+(?:/[^./]+)*\.[^/]*$|google\.golang\.org/|golang\.org/` +
		`|github\.com/hashicorp/(?:terraform/|terraform-plugin-|go-plugin|yamux))`)
	own = regexp.MustCompile(`terraform-provider-|^main\.\(`)
)

// traceIn returns what the first stack trace in a text says: the name of the provider, the phase of
// the request, the panic, and the first function of the provider itself.
func traceIn(text string) (e Error) {
	if m := traceOf.FindStringSubmatchIndex(text); m != nil {
		e.Provider, text = text[m[2]:m[3]], text[m[0]:]
	}
	m := panics.FindStringSubmatchIndex(text)
	if m == nil {
		return e
	}
	e.Panic = text[m[2]:m[3]]
	var lines []string
	var frames []Frame
	for line := range strings.SplitSeq(text[m[0]:], "\n") {
		last := len(frames) - 1
		if strings.HasPrefix(line, "Error: ") || len(lines) == maxTrace || line == "" && last > 0 {
			break
		}
		if m := function.FindStringSubmatch(line); m != nil {
			_, vendored, _ := strings.Cut(m[1], "/vendor/")
			frames = append(frames, Frame{Function: cmp.Or(vendored, m[1])})
		} else if m := file().FindStringSubmatch(line); m != nil && last >= 0 {
			frames[last].At = cmp.Or(frames[last].At, m[1])
		}
		lines = append(lines, line)
	}
	e.trace = strings.TrimSpace(strings.Join(lines, "\n"))
	for i, f := range frames {
		if m := request.FindStringSubmatch(f.Function); m != nil {
			e.Phase = cmp.Or(e.Phase, phaseOf(m[1]))
		}
		mine := own.MatchString(f.Function)
		if e.Frame == nil && (mine || !foreign.MatchString(f.Function)) || mine && !own.MatchString(e.Frame.Function) {
			e.Frame = &frames[i]
		}
	}
	return e
}

// requests has the phases of requests, by the beginning of their names.
var requests = map[string]objchange.Phase{
	"upgrade": objchange.PhaseUpgrade, "import": objchange.PhaseImport, "move": "move",
	"read": objchange.PhaseRead, "open": objchange.PhaseRead, "renew": objchange.PhaseRead,
	"close": objchange.PhaseRead, "list": objchange.PhaseRead,
	"plan": objchange.PhasePlan, "apply": objchange.PhaseApply, "invoke": objchange.PhaseApply,
	"validate": objchange.PhaseConfig, "prepare": objchange.PhaseConfig,
	"configure": "configure", "get": "schema", "call": "function",
}

var firstWord = regexp.MustCompile(`^[A-Z]?[a-z]+`)

// phaseOf returns the phase of a request, or "".
func phaseOf(rpc string) objchange.Phase { return requests[strings.ToLower(firstWord.FindString(rpc))] }
