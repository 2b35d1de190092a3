package repro

import (
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A Fault describes the finding that a Go test reproduces.
type Fault struct {
	Path     string // place where the rule is broken, a part of the test's name
	Rule     string // also a part of the test's name
	About    string // comment of the test
	Severity objchange.Severity
}

// TestNames counts the tests of the same fault, whose names get numbers.
type TestNames map[string]int

const goTestFile = `package provider_test

import (
"testing"

%s)

%s`

const factoriesComment = "Change the package and factories to the package and the ProtoV%dProviderFactories " +
	"of your acceptance tests."

// version returns the protocol version.
func (n Naming) version() int { return cmp.Or(n.Protocol, 6) }

// GoTest returns a formatted Go file with a test that fails if the provider breaks the rule, and
// the function of the test. The test uses a variable factories as in acceptance tests, with the
// provider's name as the key. GoTest returns "" for a zero value of the legacy SDK, because no test
// fails for it, and for names that are not valid in Go. Tests with the same TestNames can be in one
// package.
func GoTest(s scenario.Scenario, n Naming, r Fault, names TestNames) (file, function string) {
	if r.Severity == objchange.LegacySDK {
		return "", ""
	}
	w := &goWriter{naming: n, imports: map[string]bool{driverPackage: true}}
	body, imports := w.calls(s, r), ""
	for _, path := range slices.Sorted(maps.Keys(w.imports)) {
		imports += strconv.Quote(path) + "\n"
	}
	test := fmt.Sprintf("func Test%s(t *testing.T) {\n%s\n}\n", names.next(s, r), body)
	whole, err := format.Source(fmt.Appendf(nil, goTestFile, imports, r.comment(n)+test))
	if err != nil {
		return "", ""
	}
	part, _ := format.Source([]byte(test)) // is valid, because the whole is
	return string(whole), string(part)
}

// comment returns the comment of the test.
func (r Fault) comment(n Naming) (comment string) {
	about := print.Printable(strings.TrimSpace(r.About), "\n\t") + "\n\n" + fmt.Sprintf(factoriesComment, n.version())
	for line := range strings.Lines(strings.TrimSpace(about)) {
		comment += strings.TrimSpace("// "+line) + "\n"
	}
	return comment
}

// next returns the name of the next test, without the prefix Test. Only repeated names have an
// underscore.
func (all TestNames) next(s scenario.Scenario, r Fault) string {
	name := camelCase(s.TypeName + "-" + r.Path + "-" + r.Rule)
	all[name]++
	if n := all[name]; n > 1 {
		return fmt.Sprintf("%s_%d", name, n)
	}
	return name
}

// camelCase joins the words of a name to an identifier.
func camelCase(name string) (text string) {
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !letter(r) }) {
		first, size := utf8.DecodeRuneInString(word)
		text += string(unicode.ToUpper(first)) + word[size:]
	}
	return text
}

const (
	driverPackage = "github.com/objchange/objchange/tfcheck/driver"
	checkPackage  = "github.com/objchange/objchange/tfcheck"
	ctyPackage    = "github.com/zclconf/go-cty/cty"
)

// A goWriter writes values as Go expressions that driver.ValueOf accepts.
type goWriter struct {
	naming  Naming
	imports map[string]bool
}

// calls writes the body of the test.
func (w *goWriter) calls(s scenario.Scenario, r Fault) string {
	provider, options := "nil", ""
	switch {
	case s.Kind == scenario.Configuration:
		provider = w.config(string(scenario.Configuration), s.Schema, s.Last().Config)
	case w.naming.Schema != nil && s.Provider != cty.NilVal && !s.Provider.RawEquals(w.naming.Schema.EmptyValue()):
		provider = w.config(string(scenario.Configuration), w.naming.Schema, s.Provider)
	}
	if r.Severity == objchange.Tolerated || r.Severity == objchange.Unchecked {
		options, w.imports[checkPackage] = ", driver.ReportTo(tfcheck.FailAll(t))", true
	}
	version, name := w.naming.version(), w.naming.Local(s.TypeName)
	driver := fmt.Sprintf("driver.Test%d(t, factories, %q, %s%s)", version, name, provider, options)
	if s.Kind == scenario.Configuration {
		return driver
	}
	return "d := " + driver + "\n" + w.call(s)
}

// call writes the call of a driver method.
func (w *goWriter) call(s scenario.Scenario) string {
	if s.Kind == scenario.Function {
		args := ""
		for _, argument := range w.naming.arguments(s) {
			args += ", " + w.value(argument)
		}
		return fmt.Sprintf("d.Function(t, %q%s)", s.TypeName, args)
	}
	if s.Kind == scenario.Resource {
		return w.life(s)
	}
	method := map[scenario.Kind]string{scenario.Data: "Data", scenario.Ephemeral: "Ephemeral"}[s.Kind]
	return fmt.Sprintf("d.%s(t, %q, %s)", method, s.TypeName, w.config(s.TypeName, s.Schema, s.Last().Config))
}

// config writes everything that a configuration of the schema sets.
func (w *goWriter) config(scope string, schema *objchange.Schema, v cty.Value) string {
	return w.elements(setting{v: v, inside: reader{w.naming, scope}.settings(schema, v, cty.NilVal)})
}

// number matches a number in cty's Go syntax, which is not exact for fractions, and not valid in Go for
// large integers.
var number = regexp.MustCompile(`cty\.Number(?:Int|Float)Val\(([^)]*)\)`)

// value writes the value of a setting.
func (w *goWriter) value(s setting) string {
	of := s.v.Type()
	switch {
	case !s.v.IsKnown():
		return w.literal(s.v)
	case s.v.IsNull() && (of.Equals(s.place) || s.object != nil):
		return "nil"
	case s.v.IsNull() || s.object == nil && s.place.HasDynamicTypes() && !of.Equals(s.place) && of.IsCollectionType():
		return w.literal(s.v)
	case of == cty.String:
		return strconv.Quote(s.v.AsString())
	case of == cty.Bool:
		return strconv.FormatBool(s.v.True())
	case of == cty.Number:
		text := s.v.AsBigFloat().Text('f', -1)
		if _, err := strconv.Atoi(text); err != nil {
			return w.literal(s.v)
		}
		return text
	}
	return w.elements(s)
}

// literal writes a value in cty's Go syntax.
func (w *goWriter) literal(v cty.Value) string {
	w.imports[ctyPackage] = true
	text := number.ReplaceAllString(fmt.Sprintf("%#v", v), `cty.MustParseNumberVal("$1")`)
	if w.naming.Hide != nil {
		return w.naming.Hide(text)
	}
	return text
}

// elements writes a collection, a tuple or an object.
func (w *goWriter) elements(s setting) string {
	var all []string
	for _, e := range s.inside {
		text := w.value(e)
		if s.keyed() {
			text = strconv.Quote(e.key) + ": " + text
		}
		all = append(all, text)
	}
	if s.keyed() {
		slices.Sort(all)
		return list("map[string]any{", all, "}")
	}
	return list("[]any{", all, "}")
}

// life writes the calls for the steps with an object. It writes one expression for one step.
func (w *goWriter) life(s scenario.Scenario) string {
	begin := fmt.Sprintf("d.Lifecycle(t, %q)", s.TypeName)
	if len(s.Steps) == 1 {
		return begin + "." + w.step(s, s.Last())
	}
	lines := []string{"life := " + begin}
	for _, st := range s.Steps {
		switch {
		case st.Does == scenario.Imports:
			lines = append(lines, begin+`.Import(life.State().GetAttr("id").AsString())`)
		case st.Does == scenario.Identifies:
			lines = append(lines, begin+".ImportIdentity(life.Identity())")
		case st.Fails: // the methods of Lifecycle would end the test
			call := w.step(s, st, "t.Context()")
			lines = append(lines, "_, _ = life.Instance."+call+" // the provider returns an error")
		default:
			lines = append(lines, "life."+w.step(s, st))
		}
	}
	return strings.Join(lines, "\n")
}

// step writes the method call for a step. The call begins with the arguments, if there are any.
func (w *goWriter) step(s scenario.Scenario, st scenario.Step, arguments ...string) string {
	if st.Does == scenario.Destroys {
		return list("Destroy(", arguments, ")")
	}
	config := w.config(s.TypeName, s.Schema, st.Config)
	method := "Apply("
	switch {
	case st.Does == scenario.Replaces:
		method = "Replace("
	case st.Does == scenario.Plans && st.Then == cty.NilVal:
		method = "Plan("
	case st.Does == scenario.Plans:
		method = "Replan("
	}
	if st.Then != cty.NilVal {
		then := w.config(s.TypeName, s.Schema, st.Then)
		return list(method, append(arguments, then, fmt.Sprintf("driver.Initially(%s)", config)), ")")
	}
	return list(method, append(arguments, config), ")")
}

// oneLine is the maximum length of what is written on one line.
const oneLine = 60

// list writes elements or arguments, on one line if they are short.
func list(open string, all []string, end string) string {
	if text := strings.Join(all, ", "); len(text) <= oneLine && !strings.Contains(text, "\n") {
		return open + text + end
	}
	return open + "\n" + strings.Join(all, ",\n") + ",\n" + end
}
