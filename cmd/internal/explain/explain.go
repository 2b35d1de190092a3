// Package explain finds and explains errors in a text with which Terraform and OpenTofu reject the
// response of a provider. It knows the sentences of Terraform 0.12 to 1.17 and of OpenTofu. The
// text may be wrapped, boxed, quoted or logged in many ways.
package explain

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange"
)

// An Error is an error in a text. Fields are empty if the text does not have the information.
type Error struct {
	Rule     objchange.Rule `json:"rule"`
	Address  string         `json:"address"`
	Provider string         `json:"provider"` // as in the text, such as "registry.terraform.io/acme/cloud"
	Path     string         `json:"path"`     // in the form of objchange.PathString
	Was      string         `json:"was"`      // the configured or planned value
	Now      string         `json:"now"`      // the planned or returned value
	Message  string         `json:"message"`  // the problem at the path, as in the text
	// Enforced means that Terraform rejected the response. For a provider with the legacy type
	// system, it only logs some errors.
	Enforced bool            `json:"enforced"`
	Phase    objchange.Phase `json:"phase"`
	Summary  string          `json:"summary"` // the first line of Terraform's error
	SDK      SDK             `json:"sdk"`     // the SDK of the provider
	Meaning  string          `json:"meaning"` // the requirement of the rule
	Fault    string          `json:"fault"`   // says who is at fault
	Remedy   string          `json:"remedy"`  // for the author of the provider
	// Workaround is for the user of the provider. Steps is the same as a list of steps.
	Workaround string   `json:"workaround"`
	Steps      []string `json:"steps"`
	// Sentence is the sentence in the text, on one line.
	Sentence string `json:"sentence"`
	// Report is an issue for the authors of the provider in Markdown.
	Report string `json:"report"`

	logged  bool        // only a summary in a log
	deposed bool        // about an object that a replacement left
	long    [][2]string // long values in the sentence, and their short forms
}

// An SDK is the SDK of a provider.
type SDK string

// SDKv2 is the only SDK that a text may name, as the legacy plugin SDK. The errors of all other
// providers look alike.
const SDKv2 SDK = "SDK v2"

// Find returns the errors in a text, in order and without duplicates. It ignores errors that are
// not about the response of a provider.
func Find(text string) []Error {
	var all []Error
	for _, p := range partsOf(text) {
		all = append(all, p.errors()...)
	}
	all = withoutLogged(all)
	var once []Error
	at := map[key]bool{}
	for _, e := range all {
		if !at[e.key()] {
			at[e.key()] = true
			once = append(once, e)
		}
	}
	for i := range once {
		once[i].advise()
	}
	return once
}

// A key identifies equal errors.
type key struct {
	rule                                      objchange.Rule
	address, provider, path, message, summary string
	phase                                     objchange.Phase
	enforced                                  bool
}

func (e *Error) key() key {
	return key{e.Rule, e.Address, e.Provider, e.Path, e.Message, e.Summary, e.Phase, e.Enforced}
}

// withoutLogged removes the summaries in a log that repeat the summary of another error.
func withoutLogged(all []Error) []Error {
	errorSummaries := map[string]bool{}
	for _, e := range all {
		if e.Rule != "" {
			errorSummaries[e.Summary] = true
		}
	}
	return slices.DeleteFunc(all, func(e Error) bool { return e.logged && errorSummaries[e.Summary] })
}

// A foundAt is an error with its position.
type foundAt struct {
	Error
	at int
}

// errors returns the errors in the part.
func (p part) errors() (all []Error) {
	d := newDense(p)
	found := sentencesIn(d)
	found = append(found, summariesIn(d, found)...)
	found = append(found, undecoded(d)...)
	slices.SortStableFunc(found, func(a, b foundAt) int { return cmp.Compare(a.at, b.at) })
	for _, f := range found {
		f.Address = cmp.Or(f.Address, p.address)
		all = append(all, f.Error)
	}
	return all
}

// sentencesIn returns the errors for the sentences in the text.
func sentencesIn(d dense) (found []foundAt) {
	small := lower(d.text)
	begins, ends := map[int]bool{}, map[int]bool{} // of sentences that are read already
	for i := range sentences {
		s := &sentences[i]
		for _, m := range s.find(d.text, small) {
			if begins[m[0]] || ends[m[1]] {
				continue
			}
			begins[m[0]], ends[m[1]] = true, true
			for _, e := range s.read(d, m) {
				e.complete(d, m[0])
				found = append(found, foundAt{e, m[0]})
			}
		}
	}
	return found
}

// summariesIn returns an error for each summary that has no sentence before the next summary.
func summariesIn(d dense, sentences []foundAt) (found []foundAt) {
	all := bare.FindAllStringIndex(d.text, -1)
	for i, m := range all {
		next := len(d.text)
		if i+1 < len(all) {
			next = all[i+1][0]
		}
		if slices.ContainsFunc(sentences, func(s foundAt) bool { return m[0] <= s.at && s.at < next && s.at < m[1]+maxValue }) {
			continue
		}
		if e, ok := summaryAt(d, m); ok {
			found = append(found, foundAt{e, m[0]})
		}
	}
	return found
}

// group returns the text that a group of a sentence matched, on one line.
func (s *sentence) group(w wrapping, m []int, name string) string {
	i := s.begins.SubexpIndex(name)
	if i < 0 || m[2*i] < 0 {
		return ""
	}
	return w.joined(m[2*i], m[2*i+1])
}

// read returns the errors of a sentence.
func (s *sentence) read(d dense, m []int) []Error {
	end := min(len(d.text), m[1]+maxValue)
	if i := strings.Index(d.text[m[1]:end], endsDense); i >= 0 {
		end = m[1] + i
	}
	w := d.wrappingOf(m[0], min(len(d.text), end+len(ends)), s.words)
	e := Error{
		Rule: s.rule, Phase: s.phase, Summary: s.summary, Enforced: !s.legacy,
		Address: s.group(w, m, "address"), Provider: providerOf(s.group(w, m, "provider")), deposed: s.group(w, m, "deposed") != "",
	}
	if s.legacy && strings.Contains(d.text[m[0]:min(len(d.text), m[1]+100)], "legacypluginSDK") {
		e.SDK = SDKv2
	}
	if place := s.group(w, m, "place"); place != "" {
		e.Address, e.Path = splitPlace(place)
	}
	r := reader{w, m[1]}
	stop := m[1]
	switch s.follows {
	case pathProblem:
		stop = r.pathProblem(&e, s.problems)
	case path:
		stop = r.path(&e)
	case goCodePath:
		stop = r.goCodePath(&e)
	case list:
		return r.list(e, s, w.sentence(m[0], m[1]))
	}
	e.finish(w.sentence(m[0], stop))
	return []Error{e}
}

// maxCode is the maximum length of the code of a value in a sentence.
const maxCode = 100

// finish sets the fields that depend on other fields, and shortens the values in sentences.
func (e *Error) finish(sentence string) {
	e.Path, e.Sentence = pathOf(e.Path), sentence
	for _, long := range e.long {
		e.Sentence = strings.ReplaceAll(e.Sentence, long[0], long[1])
		e.Message = strings.ReplaceAll(e.Message, long[0], long[1])
	}
	e.long = nil
}

// A reader reads the text after the beginning of a sentence.
type reader struct {
	wrapping
	begin int
}

// one returns the bytes from i to j after the beginning of the sentence, on one line.
func (r reader) one(i, j int) string { return r.joined(r.begin+i, r.begin+j) }

// pathProblem reads a path, a colon and a problem, and returns where they end.
func (r reader) pathProblem(e *Error, all []problem) int {
	text := r.text[r.begin:min(len(r.text), r.begin+2*maxValue)]
	for _, end := range []string{endsDense, "Error:Provider"} {
		if i := strings.Index(text, end); i >= 0 {
			text = text[:i]
		}
	}
	for _, match := range []func(string, []problem) (match, bool){matchProblem, matchCut} {
		for i := range min(len(text), maxValue) {
			// The path may be empty, and then there may be no colon.
			if i > 0 && text[i-1] != ':' {
				continue
			}
			if m, ok := match(text[i:], all); ok && (i == 0 || !m.problem.whole) {
				r.problem(e, m, i)
				return r.begin + i + m.end
			}
		}
		if m := nonconforming.FindStringSubmatchIndex(text); m != nil {
			e.Rule, e.Path = objchange.RuleTypeMismatch, r.one(m[2], m[3])
			e.Message = strings.TrimLeft(r.sentence(r.begin+m[3], r.begin+m[1]), ": ")
			return r.begin + m[1]
		}
	}
	if path := pathAtStart.FindString(text); strings.HasPrefix(path, ".") && (len(path) == len(text) || text[len(path)] == ':') {
		e.Path = r.one(0, len(path))
	}
	return r.begin
}

// nonconforming matches the end of an error about a value of another type. The text about types may
// be any.
var nonconforming = regexp.MustCompile(`^((?:(?:\.[^.\[\]:"]+|` + index + `)+)?):?[^.]{0,300}?required(?:[.;,(]|$)`)

// problem sets the fields of the error for the problem that begins at i, after the path.
func (r reader) problem(e *Error, m match, i int) {
	e.Rule, e.Path = m.rule, strings.TrimRight(r.one(0, i), ":")
	e.Message = r.sentence(r.begin+i, r.begin+i+m.end)
	code := func(name string) (inOneLine, asInText string) {
		at, ok := m.holes[name]
		if !ok {
			return "", ""
		}
		return r.one(i+at[0], i+at[1]), r.sentence(r.begin+i+at[0], r.begin+i+at[1])
	}
	was, wasInText := code("WAS")
	now, nowInText := code("NOW")
	e.Was, e.Now = shown(was, wasInText), shown(now, nowInText)
	if e.Was == e.Now && was != now {
		e.Was, e.Now = apart(was, now)
	}
	for _, value := range [][2]string{{wasInText, e.Was}, {nowInText, e.Now}} {
		if len(value[0]) > maxCode {
			e.long = append(e.long, value)
		}
	}
	if _, old := code("OLD"); len(old) > maxCode && strings.HasPrefix(old, "cty.") {
		e.long = append(e.long, [2]string{old, shown(old, old)})
	}
	e.Was, e.Now = cmp.Or(e.Was, m.was), cmp.Or(e.Now, m.now)
	if m.keyed {
		key, _ := code("KEY")
		e.Path = withoutKey(e.Path, key)
	}
}

// path reads a path that ends with a full stop.
func (r reader) path(e *Error) int {
	text := r.text[r.begin:]
	end := len(pathAtStart.FindString(text[:min(len(text), maxValue)]))
	if i := strings.Index(text[:end], ".Allvalues"); i >= 0 {
		end = i
	}
	e.Path, e.Now = r.one(0, end), unknown
	return r.begin + end
}

// goCodePath reads a path that Terraform writes as Go code.
func (r reader) goCodePath(e *Error) int {
	text := r.text[r.begin:]
	const begins = "cty.Path{"
	if !strings.HasPrefix(text, begins) {
		return r.begin
	}
	end := len(begins) + bracketsEnd(text[len(begins):])
	e.Path, _ = goPath(r.one(0, end))
	return r.begin + end
}

// list reads a list of problems, which follows the head. Each item has one problem.
func (r reader) list(e Error, s *sentence, head string) (all []Error) {
	items := r.items()
	if items == nil {
		items = r.inline()
	}
	if len(items) == 0 { // it is cut off
		e.finish(head)
		return []Error{e}
	}
	for _, item := range items {
		one := e
		in := reader{r.wrappingOf(item[0], item[1], s.words), item[0]}
		in.text = in.text[:item[1]]
		stop := in.pathProblem(&one, s.problems)
		if one.Rule == "" {
			continue
		}
		one.finish(head + ": " + in.sentence(item[0], stop))
		all = append(all, one)
	}
	return all
}

// items returns the beginning and end of each item of a list in the dense text. An item begins with
// a dash at the beginning of a line. The list ends with an empty line or another message.
func (r reader) items() (all [][2]int) {
	at := r.at[r.begin]
	end := len(r.text)
	for at < len(r.from) {
		next := len(r.from)
		if i := strings.IndexByte(r.from[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		line := strings.TrimSpace(r.from[at:next])
		here, _ := slices.BinarySearch(r.at, at)
		switch {
		case len(all) > 0 && line == "", logLine.MatchString(line):
			end = here
			at = len(r.from)
			continue
		case strings.HasPrefix(line, "- "):
			if len(all) > 0 {
				all[len(all)-1][1] = here
			}
			all = append(all, [2]int{here + 1, 0})
		}
		at = next
	}
	if len(all) > 0 {
		all[len(all)-1][1] = end
	}
	return all
}

// inline returns the beginning and end of each item of a list on one line.
func (r reader) inline() (all [][2]int) {
	text := r.text[r.begin:min(len(r.text), r.begin+maxValue)]
	if i := anotherMessage.FindStringIndex(text); i != nil {
		text = text[:i[0]]
	}
	bare := inQuotes.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("x", len(s)) })
	for _, m := range dash.FindAllStringIndex(bare, -1) {
		if len(all) > 0 {
			all[len(all)-1][1] = r.begin + m[0]
		}
		all = append(all, [2]int{r.begin + m[0] + 1, r.begin + len(text)})
	}
	return all
}

var (
	// dash matches the beginning of an item in dense text.
	dash = regexp.MustCompile(`-(?:\.[\pL_]|planned|sensitive|Root|was|attribute)`)
	// inQuotes matches a string.
	inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	// anotherMessage matches the beginning of another message in dense text.
	anotherMessage = regexp.MustCompile(`\[(?:TRACE|DEBUG|INFO|WARN|ERROR)\]`)
)
