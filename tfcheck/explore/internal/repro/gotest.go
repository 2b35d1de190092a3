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
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A Fault describes the finding that a Go test reproduces.
type Fault struct {
	Path     string // place where the rule is broken, a part of the test's name
	Rule     string // also a part of the test's name
	About    string // comment of the test
	Severity objchange.Severity
}

const goTestFile = `package provider_test

import (
%s)

%sfunc Test%s(t *testing.T) {
%s
}
`

const (
	factoriesComment = "Change the package and factories to the package and the ProtoV%dProviderFactories of your acceptance tests."
	crashComment     = "The crash ends the test binary. Tests after this one do not run."
)

// version returns the protocol version.
func (n Naming) version() int { return cmp.Or(n.Protocol, 6) }

// GoTest returns a formatted Go file with a test that fails if the provider breaks the rule. The
// test uses a variable factories as in acceptance tests, with the provider's name as the key.
// goTest returns "" for a zero value of the legacy SDK, because no test fails for it, and for names
// that are not valid in Go.
func GoTest(s scenario.Scenario, n Naming, r Fault) string {
	if r.Severity == objchange.LegacySDK {
		return ""
	}
	w := &goWriter{Naming: n, needs: map[string]bool{"testing": true, driverPackage: true}}
	body, imports := w.calls(s, r), ""
	for _, path := range goImports {
		if path == "" {
			imports += "\n"
		} else if w.needs[path] {
			imports += strconv.Quote(path) + "\n"
		}
	}
	text, err := format.Source(fmt.Appendf(nil, goTestFile, imports, r.comment(n), testName(s, r), body))
	if err != nil {
		return ""
	}
	return string(text)
}

// comment returns the comment of the test.
func (r Fault) comment(n Naming) (comment string) {
	about := strings.TrimSpace(printable(r.About)) + "\n\n"
	if r.Rule == string(objchange.RuleCrash) {
		about += crashComment + "\n"
	}
	about += fmt.Sprintf(factoriesComment, n.version())
	for line := range strings.Lines(strings.TrimSpace(about)) {
		comment += strings.TrimSpace("// "+line) + "\n"
	}
	return comment
}

// printable replaces everything that a comment cannot contain with the replacement character: bytes
// that are not UTF-8, and characters that are not graphic.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// testName returns the name of the test without the prefix Test.
func testName(s scenario.Scenario, r Fault) string {
	name := s.TypeName + "-" + r.Path + "-" + r.Rule + "-" + strings.ReplaceAll(string(s.Does), " ", "-")
	if !s.Config.IsWhollyKnown() {
		name += "-when-unknown"
	}
	return camelCase(name)
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

var testHeader = regexp.MustCompile(`(?m)^func (Test[^(]*)`)

// NumberTests makes the names of the Go tests unique.
func NumberTests(tests []*string) {
	taken := map[string]bool{}
	for _, text := range tests {
		at := testHeader.FindStringSubmatchIndex(*text)
		if at == nil {
			continue
		}
		base := (*text)[at[2]:at[3]]
		name := base
		for n := 2; taken[name]; n++ {
			name = base + strconv.Itoa(n)
		}
		taken[name] = true
		*text = (*text)[:at[2]] + name + (*text)[at[3]:]
	}
}

const (
	driverPackage = "github.com/objchange/objchange/tfcheck/driver"
	checkPackage  = "github.com/objchange/objchange/tfcheck"
	ctyPackage    = "github.com/zclconf/go-cty/cty"
)

var goImports = []string{"encoding/json", "os", "testing", "", checkPackage, driverPackage, ctyPackage}

// A goWriter writes values as Go expressions that driver.ValueOf accepts.
type goWriter struct {
	Naming
	needs   map[string]bool // packages to import
	values  []*scenario.Need
	origins []*scenario.Origin // already written
	lives   strings.Builder    // lifecycles of the origins
}

// calls writes the body of the test.
func (w *goWriter) calls(s scenario.Scenario, r Fault) string {
	provider, options := "nil", ""
	switch {
	case s.Kind == scenario.Configuration:
		provider = w.config(string(scenario.Configuration), s.Schema, s.Config)
	case w.Schema != nil && s.Provider != cty.NilVal && !s.Provider.RawEquals(w.Schema.EmptyValue()):
		provider = w.config(string(scenario.Configuration), w.Schema, s.Provider)
	}
	if r.Severity == objchange.Tolerated || r.Severity == objchange.Unchecked {
		options, w.needs[checkPackage] = ", driver.ReportTo(tfcheck.FailAll(t))", true
	}
	driver := fmt.Sprintf("driver.Test%d(t, factories[%q], %s%s)", w.version(), w.Local(s.TypeName), provider, options)
	if s.Kind == scenario.Configuration {
		return driver
	}
	call := w.call(s)
	return "d := " + driver + "\n" + w.lives.String() + call
}

// call writes the call of a driver method.
func (w *goWriter) call(s scenario.Scenario) string {
	w.values = s.Needs
	if s.Kind == scenario.Function {
		args := ""
		for _, a := range s.Arguments() {
			args += ", " + w.value(a.Type, a.Value)
		}
		return fmt.Sprintf("d.Function(t, %q%s)", s.TypeName, args)
	}
	if s.Does != scenario.Plans {
		return w.life(s)
	}
	config := w.config(s.TypeName, s.Schema, s.Config)
	switch {
	case s.Kind == scenario.Data:
		return fmt.Sprintf("d.Data(t, %q, %s)", s.TypeName, config)
	case s.Kind == scenario.Ephemeral:
		return fmt.Sprintf("d.Ephemeral(t, %q, %s)", s.TypeName, config)
	case s.Then == cty.NilVal:
		return fmt.Sprintf("d.Lifecycle(t, %q).Plan(%s)", s.TypeName, config)
	}
	plans := []string{w.config(s.TypeName, s.Schema, s.Then), fmt.Sprintf("driver.Initially(%s)", config)}
	return fmt.Sprintf("d.Lifecycle(t, %q)%s", s.TypeName, goList(".Replan(", plans, ")"))
}

// config writes everything that a configuration of the schema sets.
func (w *goWriter) config(scope string, schema *objchange.Schema, v cty.Value) string {
	return w.data(settings{scope, w.Hides, w.values}.of(schema.Block(), v))
}

// data writes the data of settings.
func (w *goWriter) data(data any) string {
	var all []string
	switch data := data.(type) {
	case entries:
		for _, name := range slices.Sorted(maps.Keys(data)) {
			all = append(all, strconv.Quote(name)+": "+w.data(data[name]))
		}
		return goList("map[string]any{", all, "}")
	case []any:
		for _, part := range data {
			all = append(all, w.data(part))
		}
		return goList("[]any{", all, "}")
	case secret:
		return w.variable(data)
	case *scenario.Need:
		return w.provided(data)
	}
	of := data.(leaf)
	return w.value(of.ty, of.v)
}

// variable writes an expression for the environment variable of a secret. The variable contains
// JSON if the value is not a string. Terraform accepts the same format.
func (w *goWriter) variable(s secret) string {
	w.needs["os"] = true
	text := fmt.Sprintf("os.Getenv(%q)", "TF_VAR_"+s.name)
	if s.ty == cty.String {
		return text
	}
	w.needs["encoding/json"] = true
	return "json.RawMessage(" + text + ")"
}

// largeInt matches an integer in cty's Go syntax that is not valid in Go.
var largeInt = regexp.MustCompile(`cty\.NumberIntVal\((-?[0-9.]+e\+[0-9]+)\)`)

// value writes a value for a place of type ty.
func (w *goWriter) value(ty cty.Type, v cty.Value) string {
	of := v.Type()
	switch {
	case v.IsKnown() && v.IsNull() && of.Equals(ty):
		return "nil"
	case !v.IsKnown() || v.IsNull() || ty.HasDynamicTypes() && !of.Equals(ty) && of.IsCollectionType():
		w.needs[ctyPackage] = true
		return largeInt.ReplaceAllString(fmt.Sprintf("%#v", v), `cty.MustParseNumberVal("$1")`)
	case of == cty.String:
		return strconv.Quote(v.AsString())
	case of == cty.Bool:
		return strconv.FormatBool(v.True())
	case of == cty.Number:
		return w.number(v)
	}
	return w.elements(v, func(i int, key string, v cty.Value) string { return w.value(typeInside(ty, i, key), v) })
}

// number writes a number as an int or a float64 if that is exact, and otherwise as a cty value.
func (w *goWriter) number(v cty.Value) string {
	text := string(placeholder.NumberText(v.AsBigFloat()))
	if _, err := strconv.Atoi(text); err == nil {
		return text
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, ".") && strconv.FormatFloat(f, 'f', -1, 64) == text {
		return text
	}
	w.needs[ctyPackage] = true
	return fmt.Sprintf("cty.MustParseNumberVal(%q)", text)
}

// elements writes the elements or attributes of a value.
func (w *goWriter) elements(v cty.Value, element func(i int, key string, v cty.Value) string) string {
	var all []string
	keyed := v.Type().IsMapType() || v.Type().IsObjectType()
	for i, e := range pairs(v, cty.NilVal) {
		text := element(i, e.key, e.value)
		if keyed {
			text = strconv.Quote(e.key) + ": " + text
		}
		all = append(all, text)
	}
	if keyed {
		return goList("map[string]any{", all, "}")
	}
	return goList("[]any{", all, "}")
}

// goList writes elements or arguments, on one line if they are short.
func goList(open string, all []string, end string) string {
	if text := strings.Join(all, ", "); len(text) <= oneLine && !strings.Contains(text, "\n") {
		return open + text + end
	}
	return open + "\n" + strings.Join(all, ",\n") + ",\n" + end
}
