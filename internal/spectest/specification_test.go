package spectest

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

const specification = "../../docs/specification.md"

// TestSpecificationExamples checks that the library returns each result in the examples of
// docs/specification.md, and that each kind of result and each nesting mode has an example.
func TestSpecificationExamples(t *testing.T) {
	seen := map[string]int{}
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			e.run(t)
			for name := range e.parts {
				seen[name]++
			}
			if e.has("proposed") {
				countModes(seen, e.schema)
			}
		})
	}
	for name := range exampleResults {
		if seen[name] == 0 {
			t.Errorf("no example of %s", name)
		}
	}
	for _, mode := range []string{"single", "group", "list", "set", "map"} {
		for _, kind := range []string{"attribute", "block"} {
			if seen[mode+" "+kind] == 0 {
				t.Errorf("no example of a proposal for a nested %s in %s nesting", kind, mode)
			}
		}
	}
}

func countModes(seen map[string]int, schema *configschema.Block) {
	for _, a := range schema.Attributes {
		if a.NestedType != nil {
			seen[a.NestedType.Nesting.String()+" attribute"]++
		}
	}
	for _, nb := range schema.BlockTypes {
		seen[nb.Nesting.String()+" block"]++
	}
}

// An example is one example of the specification.
type example struct {
	name   string // the heading, and the number of the example below it
	parts  map[string]json.RawMessage
	schema *configschema.Block
	ty     cty.Type
}

// examples reads all JSON examples of the specification.
func examples(t *testing.T) (all []example) {
	t.Helper()
	text, err := os.ReadFile(specification)
	if err != nil {
		t.Fatal(err)
	}
	const fence = "```"
	heading, number := "", 0
	for i, part := range strings.Split(string(text), fence) {
		if i%2 == 0 {
			if h := headings.FindAllStringSubmatch(part, -1); h != nil {
				heading, number = h[len(h)-1][1], 0
			}
			continue
		}
		doc, isJSON := strings.CutPrefix(part, "json\n")
		if !isJSON {
			continue
		}
		number++
		all = append(all, readExample(t, fmt.Sprintf("%s/%d", heading, number), []byte(doc)))
	}
	return all
}

// readExample reads an example, and its schema and type.
func readExample(t *testing.T, name string, doc []byte) example {
	t.Helper()
	e := example{name: name, schema: &configschema.Block{}}
	if err := json.Unmarshal(doc, &e.parts); err != nil {
		t.Fatalf("%s: %s", name, err)
	}
	e.read(t, "schema", e.schema)
	e.ty = e.schema.ImpliedType()
	if e.has("type") {
		e.read(t, "type", &e.ty)
	}
	return e
}

var headings = regexp.MustCompile(`(?m)^#+ (.*)$`)

// exampleArguments lists the parts of an example that are not results.
var exampleArguments = []string{
	"schema", "type", "prior", "config", "proposed", "planned", "initial_planned", "final_config", "final_planned", "new",
	"returned", "before", "after", "ignore_changes", "requires_replace", "replace", "legacy_type_system",
}

// exampleResults contains functions that compare a result in an example with the library's result.
var exampleResults = map[string]func(*testing.T, example){
	"implied_type": func(t *testing.T, e example) {
		var want cty.Type
		e.read(t, "implied_type", &want)
		if got := e.schema.ImpliedType(); !got.Equals(want) {
			t.Errorf("got %#v, want %#v", got, want)
		}
	},
	"empty": func(t *testing.T, e example) { e.expectValue(t, "empty", e.schema.EmptyValue(), nil) },
	"problems": func(t *testing.T, e example) {
		e.expectLines(t, "problems", strings.Split(fmt.Sprint(e.schema.Validate()), "\n"))
	},
	"proposed": func(t *testing.T, e example) {
		if e.has("config") { // otherwise the proposal is an argument
			v, err := objchange.ProposedNew(Compiled(e.schema), e.value(t, "prior"), e.value(t, "config"))
			e.expectValue(t, "proposed", v, err)
		}
	},
	"placeholder": func(t *testing.T, e example) {
		v, err := objchange.PlannedDataResource(Compiled(e.schema), e.value(t, "config"))
		e.expectValue(t, "placeholder", v, err)
	},
	"planned_computed": func(t *testing.T, e example) {
		v, err := objchange.PlanComputed(Compiled(e.schema), e.value(t, "proposed"))
		e.expectValue(t, "planned_computed", v, err)
	},
	"prepared": func(t *testing.T, e example) {
		v, err := objchange.PrepareComputedBlocks(Compiled(e.schema), e.value(t, "config"))
		e.expectValue(t, "prepared", v, err)
	},
	"normalized": func(t *testing.T, e example) {
		v, err := objchange.NormalizeLegacySDK(Compiled(e.schema), e.value(t, "returned"))
		e.expectValue(t, "normalized", v, err)
	},
	"ignored": func(t *testing.T, e example) {
		if string(e.parts["ignore_changes"]) == `"all"` {
			v, err := objchange.IgnoreAllChanges(Compiled(e.schema), e.value(t, "prior"))
			e.expectValue(t, "ignored", v, err)
			return
		}
		v, err := objchange.IgnoreChanges(Compiled(e.schema), e.value(t, "prior"), e.value(t, "config"), e.paths(t, "ignore_changes"))
		e.expectValue(t, "ignored", v, err)
	},
	"findings": func(t *testing.T, e example) { e.expectFindings(t, "findings", e.check(t)) },
	"run": func(t *testing.T, e example) {
		e.expectFindings(t, "run", objchange.Lifecycle{
			Schema: Compiled(e.schema), Prior: e.value(t, "prior"), New: e.value(t, "new"),
			Config: e.value(t, "config"), InitialPlanned: e.value(t, "initial_planned"),
			FinalConfig: e.value(t, "final_config"), FinalPlanned: e.value(t, "final_planned"),
			LegacyTypeSystem: e.is(t, "legacy_type_system"),
		}.Check())
	},
	"action": func(t *testing.T, e example) {
		var want objchange.Action
		e.read(t, "action", &want)
		if got := objchange.PlanAction(e.value(t, "prior"), e.value(t, "planned"), e.is(t, "replace")); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	},
	"required": func(t *testing.T, e example) {
		required, found := objchange.RequiredReplace(Compiled(e.schema), e.value(t, "prior"), e.value(t, "planned"), e.paths(t, "requires_replace"))
		Expect(t, found)
		got := []string{}
		for _, path := range required {
			got = append(got, objchange.PathString(path))
		}
		e.expectLines(t, "required", got)
	},
	"changes": func(t *testing.T, e example) {
		changes, err := objchange.Diff(Compiled(e.schema), e.value(t, "before"), e.value(t, "after"))
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, c := range changes {
			got = append(got, c.String())
		}
		e.expectLines(t, "changes", got)
	},
	"state": func(t *testing.T, e example) {
		state, tainted, err := objchange.PartialState(Compiled(e.schema), e.value(t, "prior"), e.value(t, "planned"), e.value(t, "returned"))
		e.expectValue(t, "state", state, err)
		if want := e.is(t, "tainted"); tainted != want {
			t.Errorf("tainted: got %t, want %t", tainted, want)
		}
	},
	"tainted": func(*testing.T, example) {}, // "state" checks it
}

func (e example) run(t *testing.T) {
	answered := false
	for name := range e.parts {
		answer := exampleResults[name]
		if answer != nil {
			answer(t, e)
			answered = true
		} else if !slices.Contains(exampleArguments, name) {
			t.Errorf("%s is neither an argument nor a result", name)
		}
	}
	if !answered {
		t.Error("the example has no result")
	}
}

func (e example) has(name string) bool { return e.parts[name] != nil }

func (e example) read(t *testing.T, name string, to any) {
	t.Helper()
	if err := json.Unmarshal(e.parts[name], to); err != nil {
		t.Fatalf("%s: %s", name, err)
	}
}

func (e example) is(t *testing.T, name string) (yes bool) {
	t.Helper()
	if e.has(name) {
		e.read(t, name, &yes)
	}
	return yes
}

// value returns a value of the example. It returns the zero cty.Value if the value is absent.
func (e example) value(t *testing.T, name string) cty.Value {
	t.Helper()
	if !e.has(name) {
		return cty.NilVal
	}
	var plain any
	e.read(t, name, &plain)
	return exampleValue(t, e.ty, plain)
}

// expectValue compares a returned value with the value in the example.
func (e example) expectValue(t *testing.T, name string, got cty.Value, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %s", name, err)
	}
	if want := e.value(t, name); !want.RawEquals(got) {
		t.Errorf("%s\n got %#v\nwant %#v", name, got, want)
	}
}

func (e example) expectLines(t *testing.T, name string, got []string) {
	t.Helper()
	var want []string
	e.read(t, name, &want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-specification +got):\n%s", name, diff)
	}
}

func (e example) expectFindings(t *testing.T, name string, vs objchange.Violations) {
	t.Helper()
	got := []string{}
	for _, v := range vs {
		line := v.Error()
		if v.Severity != objchange.Rejected {
			line += " (not enforced)"
		}
		got = append(got, line)
	}
	e.expectLines(t, name, got)
}

// paths reads paths of names, map keys and indexes. The type of the value determines whether a name
// is an attribute or a map key.
func (e example) paths(t *testing.T, name string) (paths []cty.Path) {
	t.Helper()
	var plain [][]any
	e.read(t, name, &plain)
	for _, steps := range plain {
		path, ty := cty.Path{}, e.ty
		for _, s := range steps {
			switch name, isName := s.(string); {
			case !isName:
				path, ty = path.IndexInt(int(s.(float64))), ty.ElementType()
			case ty.IsObjectType():
				if path = path.GetAttr(name); ty.HasAttribute(name) {
					ty = ty.AttributeType(name)
				}
			default:
				path, ty = path.IndexString(name), ty.ElementType()
			}
		}
		paths = append(paths, path)
	}
	return paths
}

// TestSpecificationPropertyTable checks that the library produces each cell of the property table.
func TestSpecificationPropertyTable(t *testing.T) {
	columns := []tableCell{
		{state: none, config: none}, {state: none, config: other}, {state: other, config: none}, {state: other, config: same},
		{state: other, config: other}, {state: none, config: empty}, {state: other, config: empty},
	}
	seen := map[string]bool{}
	for _, line := range TableLines(t, specification) {
		mode, ok := propertyModes[line[0]]
		if !ok || len(line) != 2+len(columns) {
			continue
		}
		seen[line[0]] = true
		for i, c := range columns {
			c.kind = line[1]
			want := "–"
			if c.config != empty || mode.empty != cty.NilVal {
				want = mode.derive(t, c)
			}
			if line[2+i] != want {
				t.Errorf("%s, %s, state %s, configuration %s: the table has %q, the library %q", line[0], c.kind, c.state, c.config, line[2+i], want)
			}
		}
	}
	if len(seen) != len(propertyModes) {
		t.Errorf("the table contains only %v", seen)
	}
}

// TestSpecificationTolerance checks that a rule is tolerated exactly in the phases of P-7.7.
func TestSpecificationTolerance(t *testing.T) {
	tolerated := map[string][]string{} // phases by the first word of the rule
	for _, line := range TableLines(t, specification) {
		if rules, ok := strings.CutSuffix(line[0], "-…*"); ok {
			tolerated[strings.TrimPrefix(rules, "*")] = strings.Split(line[len(line)-1], ", ")
		}
	}
	if len(tolerated) != 2 {
		t.Fatalf("the tolerance table contains %v, want two kinds of rules", tolerated)
	}
	for _, rule := range LibraryRules() {
		beginning, _, _ := strings.Cut(string(rule), "-")
		for _, phase := range []objchange.Phase{objchange.PhaseConfig, objchange.PhaseUpgrade, objchange.PhaseImport,
			objchange.PhaseRead, objchange.PhasePlan, objchange.PhaseReplan, objchange.PhaseApply} {
			want := slices.Contains(tolerated[beginning], string(phase))
			if got := slices.Contains(rule.Info().Tolerated, phase); got != want {
				t.Errorf("%s in phase %s: tolerated in the table: %t, in the library: %t", rule, phase, want, got)
			}
		}
	}
}
