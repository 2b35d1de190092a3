// Package explain finds and explains errors in a text with which Terraform and OpenTofu reject the
// response of a provider. It knows the sentences of Terraform 0.12 to 1.17 and of OpenTofu. The
// text may be wrapped, boxed, quoted or logged in many ways.
package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange"
)

// An Error is an error in a text. Fields are empty if the text does not have the information.
type Error struct {
	Rule     objchange.Rule `json:"rule,omitempty"`
	Address  string         `json:"address,omitempty"`
	Provider string         `json:"provider,omitempty"` // as in the text, such as "registry.terraform.io/acme/cloud"
	Path     string         `json:"path,omitempty"`     // in the form of objchange.PathString
	Was      string         `json:"was,omitempty"`      // the configured or planned value, or the approved action
	Now      string         `json:"now,omitempty"`      // the planned or returned value, or the new action
	Message  string         `json:"message,omitempty"`  // the problem at the path, as in the text
	// Severity is Rejected, or Tolerated if Terraform only logs the error.
	Severity objchange.Severity `json:"severity"`
	// Phase is a phase of the lifecycle. For a crash, it may also be "move", "configure", "schema"
	// or "function".
	Phase   objchange.Phase `json:"phase,omitempty"`
	Summary string          `json:"summary,omitempty"` // the first line of Terraform's error
	SDK     string          `json:"sdk,omitempty"`     // "SDK v2", if the text names the legacy plugin SDK
	Panic   string          `json:"panic,omitempty"`   // the message of the panic, for a crash
	Frame   *Frame          `json:"frame,omitempty"`   // the place of the panic
	Meaning string          `json:"meaning,omitempty"` // the requirement of the rule
	Blame   Blame           `json:"blame"`
	Fault   string          `json:"fault"`            // the same in a sentence
	Remedy  string          `json:"remedy,omitempty"` // for the author of the provider
	Steps   []string        `json:"steps"`            // for the user of the provider
	general []string        // Steps, with ADDRESS in place of the address
	// Sentence is the sentence in the text, on one line.
	Sentence string `json:"sentence,omitempty"`
	// Report is an issue for the authors of the provider in Markdown.
	Report string `json:"report,omitempty"`

	says    map[string]bool // what else the sentence says, such as "deposed" about an object that a replacement left
	long    []string        // the code of long values, and its short form, in turn
	trace   string          // the stack trace of a crash
	program program         // that reports the error
}

// Find returns the errors in a text, in order and without duplicates. It ignores errors that are
// not about the response of a provider.
func Find(text string) []Error {
	var all []Error
	var whole strings.Builder
	for _, p := range fragmentsOf(text) {
		all = append(all, p.errors()...)
		whole.WriteString(p.text + "\n")
	}
	if len(all) == 0 {
		return nil
	}
	around := surroundings(whole.String(), all)
	for i := range all {
		short := strings.NewReplacer(all[i].long...)
		all[i].Message, all[i].Sentence = short.Replace(all[i].Message), short.Replace(all[i].Sentence)
		around.complete(&all[i])
	}
	all = withoutRepeated(all)
	for i := range all {
		around.judge(&all[i])
		around.advise(&all[i])
	}
	return all
}

// withoutRepeated returns the errors without those that another error contains.
func withoutRepeated(all []Error) (rest []Error) {
	once := map[string]bool{}
	for i := range all {
		e := &all[i]
		part := func(other Error) bool {
			return (e.Address == "" || e.Rule == "") && e.within(&other) && !other.within(e)
		}
		if !once[e.key()] && (len(all) > maxRepeated || !slices.ContainsFunc(all, part)) {
			rest = append(rest, *e)
		}
		once[e.key()] = true
	}
	return rest
}

// facts returns the fields that a title or a quote of the error may have.
func (e *Error) facts() []string {
	return []string{string(e.Rule), string(e.Phase), e.Address, e.Path, e.Was, e.Now}
}

// key returns a text that is different for different errors.
func (e *Error) key() string {
	return fmt.Sprintf("%q %q %q %q %q", e.facts(), e.Summary, e.Provider, e.Message, e.Severity)
}

// within reports whether another error has the same facts or more.
func (e *Error) within(other *Error) bool {
	theirs := other.facts()
	for i, fact := range e.facts() {
		if fact != "" && fact != theirs[i] {
			return false
		}
	}
	return e.Severity == other.Severity && (e.Rule != "" || e.Summary == "" || e.Summary == other.Summary)
}

const (
	ends        = "thisisabugin" // the beginning of the last sentence of most errors
	maxBefore   = 1500           // bytes before the anchor of a sentence
	maxRegion   = 1 << 16        // bytes after it
	maxDetail   = 4000           // bytes between a summary and its sentence
	maxRepeated = 100            // errors in a text in which titles and quotes may repeat them
)

// errors returns the errors in the fragment.
func (p fragment) errors() []Error {
	r := reader{dense: newDense(p.text)}
	marks := marksIn(&r.dense)
	previous := 0
	for i, m := range marks {
		if i > 0 && marks[i-1].begin < m.begin {
			previous = marks[i-1].begin
		}
		switch {
		case m.begin < r.end: // in the last sentence
		case m.sentence != nil:
			next := len(r.text)
			if k := slices.IndexFunc(marks[i:], func(other mark) bool { return other.begin >= m.end }); k >= 0 {
				next = marks[i+k].begin
			}
			r.read(m, max(previous, m.begin-maxBefore), min(next, m.end+maxRegion))
		default:
			r.flush(m.begin)
			r.summary = &m
		}
	}
	r.flush(len(r.text))
	for i := range r.found {
		r.found[i].Address = cmp.Or(r.found[i].Address, p.address)
	}
	return r.found
}

// A reader reads the errors of a fragment.
type reader struct {
	dense
	summary *mark // that is still without a sentence
	end     int   // of the last sentence
	found   []Error
}

// flush adds the error of a summary that has no sentence before the end.
func (r *reader) flush(end int) {
	m := r.summary
	if r.summary = nil; m == nil {
		return
	}
	body, _, _ := strings.Cut(r.low[m.end:max(m.end, min(end, m.end+maxDetail))], ends)
	s, region := m.summary, m.end+len(body)
	e := Error{Severity: objchange.Rejected}
	r.fields(&e, detailOfProvider(), m.end, region)
	if at := detailOfAddress().FindStringSubmatch(r.original(m.end, region)); at != nil {
		e.Address = at[1]
	}
	switch at := detailOfPath().FindStringSubmatch(r.text[m.end:region]); {
	case s.rule == objchange.RuleInconsistentPresence:
		e.Now = "null"
	case s.rule == objchange.RuleWriteOnlyNotNull && at == nil:
		return // about something else
	case s.rule == objchange.RuleWriteOnlyNotNull:
		address := addressAtStart().FindString(at[1])
		e.Address = cmp.Or(address, e.Address)
		e.Path = pathOf("." + strings.TrimPrefix(at[1][len(address):], "."))
	}
	r.below(&e, m, region)
	if s.says != "" || s.rule != "" {
		e.Sentence = r.dense.sentence(m.end, region)
	}
	r.found = append(r.found, e)
}

var (
	detailOfProvider = pattern(`PROVIDER `)
	detailOfAddress  = lazy(`(?:for|of|to)\s+(` + resource + `)[\s.,:(]`)
	detailOfPath     = pattern(`write-only attribute["'\x60]?([^"'\x60\s,()]+)`)
	// with matches the line below the summary that has the address of the resource.
	with = lazy(`with(` + resource + `)(?:,(?:on|[A-Z"]|$)|$)`)
)

// below sets the summary, and the address that is below it.
func (r *reader) below(e *Error, m *mark, end int) {
	e.Summary, e.Meaning = m.summary.text, cmp.Or(e.Meaning, m.summary.says)
	e.Rule, e.Phase = cmp.Or(e.Rule, m.summary.rule), cmp.Or(e.Phase, m.summary.phase)
	if at := with().FindStringSubmatchIndex(r.text[m.end:end]); e.Address == "" && at != nil {
		e.Address = r.joined(m.end+at[2], m.end+at[3])
	}
}

// read reads the sentence at a mark, and what follows it. The sentence is between from and end.
func (r *reader) read(m mark, from, end int) {
	s := m.sentence
	body, bug, _ := strings.Cut(r.low[m.end:end], ends)
	end = m.end + len(body)
	ofProgram := strings.HasPrefix(bug, "terraform") || strings.HasPrefix(bug, "opentofu")
	e := Error{Rule: s.rule, Phase: s.phase, Severity: objchange.Rejected, says: map[string]bool{"terraform": ofProgram}}
	before := r.fields(&e, s.before(), from, m.begin)
	after := r.fields(&e, s.after(), m.end, end)
	if after == nil || before == nil && !s.follows {
		return
	}
	first := m.begin
	if before != nil {
		first = from + before[0]
	}
	if cut := frontAddress().FindStringSubmatch(r.from[r.at[from]:r.at[first]]); cut != nil && e.Address == "" {
		e.Address = cut[1]
	}
	if s.rule == "" && !s.follows {
		e.Meaning = identity
	}
	if strings.Contains(r.low[m.begin:min(end, m.end+maxBefore)], "legacypluginsdk") {
		e.SDK = "SDK v2"
	}
	stop := m.end + after[1]
	if s.follows && e.Severity == objchange.Rejected {
		stop = r.pathProblem(&e, stop, end)
	}
	e.Sentence = r.dense.sentence(first, stop)
	all := []Error{e}
	if s.follows && e.Severity == objchange.Tolerated {
		all = r.list(e, stop, end)
	}
	if before == nil && all[0].Rule == "" && all[0].Address == "" {
		return // a mention
	}
	if r.summary != nil && e.Severity == objchange.Rejected && r.summary.end <= first && first < r.summary.end+maxDetail {
		for i := range all {
			r.below(&all[i], r.summary, first)
		}
		r.summary = nil
	}
	r.flush(first)
	r.end = max(m.end, end-1)
	if !e.says["drift"] {
		r.found = append(r.found, all...)
	}
}

// frontAddress matches the address before a provider, if the text before the address is lost.
var frontAddress = lazy("[\\s\"'`](" + resource + ")[\"'`]?(?:\\s+\\([^()]*\\))?,\\s*$")

// fields sets the fields of the error from the groups of a pattern that matches between i and j. It
// returns the positions of the match, or nil.
func (r *reader) fields(e *Error, pattern *regexp.Regexp, i, j int) (m []int) {
	m = pattern.FindStringSubmatchIndex(r.text[i:j])
	for k, field := range pattern.SubexpNames() {
		if m == nil || field == "" || m[2*k] < 0 {
			continue
		}
		text := r.joined(i+m[2*k], i+m[2*k+1])
		switch field {
		case "address":
			e.Address = text
		case "provider":
			e.Provider = providerOf(r.text[i+m[2*k] : i+m[2*k+1]])
		case "path":
			if e.Path = pathOf(text); e.Rule == objchange.RuleStateUnknown {
				e.Now = unknown
			}
		case "code":
			e.Path = goPath(text)
		case "was":
			e.Was = text
		case "now":
			e.Now = text
		case "tolerated":
			e.Severity = objchange.Tolerated
		case "request":
			e.Phase = phaseOf(text)
		case "read", "plan", "apply":
			e.Phase = objchange.Phase(field)
		default:
			e.says[field] = true
		}
	}
	return m
}
