package lawtest

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
)

// The examples of the law, which is the part of docs/semantics.md that is no
// rule: each has its answers in it.

// TestSemanticsExamples runs the examples: every answer in them is the library's. No answer
// that an example can have, and no nesting mode of the merge, is without one.
func TestSemanticsExamples(t *testing.T) {
	seen := map[string]int{}
	for _, e := range lawExamples(t) {
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
	for name := range lawAnswers {
		if seen[name] == 0 {
			t.Errorf("no example of %s", name)
		}
	}
	for _, mode := range []string{"single", "group", "list", "set", "map"} {
		for _, kind := range []string{"attribute", "block"} {
			if seen[mode+" "+kind] == 0 {
				t.Errorf("no example of what is proposed for a nested %s in %s nesting", kind, mode)
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

// A lawExample is one document of the law.
type lawExample struct {
	name   string // the heading above, and which it is below that
	parts  map[string]json.RawMessage
	schema *configschema.Block
	ty     cty.Type
}

// lawExamples reads all JSON of the law. What a message follows belongs to a rule.
func lawExamples(t *testing.T) (examples []lawExample) {
	t.Helper()
	book, err := os.ReadFile(semantics)
	if err != nil {
		t.Fatal(err)
	}
	const fence = "```"
	heading, number := "", 0
	for i, text := range strings.Split(string(book), fence) {
		if i%2 == 0 {
			if h := headings.FindAllStringSubmatch(text, -1); h != nil {
				heading, number = h[len(h)-1][1], 0
			}
			continue
		}
		doc, isJSON := strings.CutPrefix(text, "json\n")
		if !isJSON || ruleName.MatchString(heading) {
			continue
		}
		number++
		e := lawExample{name: fmt.Sprintf("%s/%d", heading, number), schema: &configschema.Block{}}
		if err := json.Unmarshal([]byte(doc), &e.parts); err != nil {
			t.Fatalf("%s: %s", e.name, err)
		}
		if err := json.Unmarshal(e.parts["schema"], e.schema); err != nil {
			t.Fatalf("%s: %s", e.name, err)
		}
		e.ty = e.schema.ImpliedType()
		if e.has("type") {
			e.read(t, "type", &e.ty)
		}
		examples = append(examples, e)
	}
	return examples
}

var (
	headings = regexp.MustCompile(`(?m)^#+ (.*)$`)
	ruleName = regexp.MustCompile(`^[a-z-]+$`)
)

// lawGiven are the parts of examples that answers are made from.
var lawGiven = []string{
	"schema", "type", "prior", "config", "proposed", "planned", "initial_planned", "final_config", "final_planned", "new",
	"returned", "before", "after", "ignore_changes", "requires_replace", "replace", "legacy_type_system",
}

// lawAnswers hold an example's answer to the library's.
var lawAnswers = map[string]func(*testing.T, lawExample){
	"implied_type": func(t *testing.T, e lawExample) {
		var want cty.Type
		e.read(t, "implied_type", &want)
		if got := e.schema.ImpliedType(); !got.Equals(want) {
			t.Errorf("got %#v, want %#v", got, want)
		}
	},
	"empty": func(t *testing.T, e lawExample) { e.made(t, "empty", e.schema.EmptyValue(), nil) },
	"problems": func(t *testing.T, e lawExample) {
		e.lines(t, "problems", strings.Split(fmt.Sprint(e.schema.Validate()), "\n"))
	},
	"proposed": func(t *testing.T, e lawExample) {
		if e.has("config") { // else it is given
			v, err := objchange.ProposedNew(compiled(e.schema), e.value(t, "prior"), e.value(t, "config"))
			e.made(t, "proposed", v, err)
		}
	},
	"placeholder": func(t *testing.T, e lawExample) {
		v, err := objchange.PlannedDataResource(compiled(e.schema), e.value(t, "config"))
		e.made(t, "placeholder", v, err)
	},
	"planned_computed": func(t *testing.T, e lawExample) {
		v, err := objchange.PlanComputed(compiled(e.schema), e.value(t, "proposed"))
		e.made(t, "planned_computed", v, err)
	},
	"prepared": func(t *testing.T, e lawExample) {
		v, err := objchange.PrepareComputedBlocks(compiled(e.schema), e.value(t, "config"))
		e.made(t, "prepared", v, err)
	},
	"normalized": func(t *testing.T, e lawExample) {
		v, err := objchange.NormalizeLegacySDK(compiled(e.schema), e.value(t, "returned"))
		e.made(t, "normalized", v, err)
	},
	"ignored": func(t *testing.T, e lawExample) {
		if string(e.parts["ignore_changes"]) == `"all"` {
			v, err := objchange.IgnoreAllChanges(compiled(e.schema), e.value(t, "prior"))
			e.made(t, "ignored", v, err)
			return
		}
		v, err := objchange.IgnoreChanges(compiled(e.schema), e.value(t, "prior"), e.value(t, "config"), e.paths(t, "ignore_changes"))
		e.made(t, "ignored", v, err)
	},
	"findings": func(t *testing.T, e lawExample) { e.found(t, "findings", runExample(t, e.parts)) },
	"run": func(t *testing.T, e lawExample) {
		e.found(t, "run", objchange.Lifecycle{
			Schema: compiled(e.schema), Prior: e.value(t, "prior"), New: e.value(t, "new"),
			Config: e.value(t, "config"), InitialPlanned: e.value(t, "initial_planned"),
			FinalConfig: e.value(t, "final_config"), FinalPlanned: e.value(t, "final_planned"),
			LegacyTypeSystem: e.is(t, "legacy_type_system"),
		}.Check())
	},
	"action": func(t *testing.T, e lawExample) {
		var want objchange.Action
		e.read(t, "action", &want)
		if got := objchange.PlanAction(e.value(t, "prior"), e.value(t, "planned"), e.is(t, "replace")); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	},
	"required": func(t *testing.T, e lawExample) {
		required, found := objchange.RequiredReplace(compiled(e.schema), e.value(t, "prior"), e.value(t, "planned"), e.paths(t, "requires_replace"))
		expect(t, found)
		got := []string{}
		for _, path := range required {
			got = append(got, objchange.PathString(path))
		}
		e.lines(t, "required", got)
	},
	"changes": func(t *testing.T, e lawExample) {
		changes, err := objchange.Diff(compiled(e.schema), e.value(t, "before"), e.value(t, "after"))
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, c := range changes {
			got = append(got, c.String())
		}
		e.lines(t, "changes", got)
	},
	"state": func(t *testing.T, e lawExample) {
		state, tainted, err := objchange.PartialState(compiled(e.schema), e.value(t, "prior"), e.value(t, "planned"), e.value(t, "returned"))
		e.made(t, "state", state, err)
		if want := e.is(t, "tainted"); tainted != want {
			t.Errorf("tainted: got %t, want %t", tainted, want)
		}
	},
	"tainted": func(*testing.T, lawExample) {}, // told with the state
}

func (e lawExample) run(t *testing.T) {
	answered := false
	for name := range e.parts {
		answer := lawAnswers[name]
		if answer != nil {
			answer(t, e)
			answered = true
		} else if !slices.Contains(lawGiven, name) {
			t.Errorf("%s is neither given nor an answer", name)
		}
	}
	if !answered {
		t.Error("there is no answer")
	}
}

func (e lawExample) has(name string) bool { return e.parts[name] != nil }

func (e lawExample) read(t *testing.T, name string, to any) {
	t.Helper()
	if err := json.Unmarshal(e.parts[name], to); err != nil {
		t.Fatalf("%s: %s", name, err)
	}
}

func (e lawExample) is(t *testing.T, name string) (yes bool) {
	t.Helper()
	if e.has(name) {
		e.read(t, name, &yes)
	}
	return yes
}

// value returns a value of the example, or the zero cty.Value if there is none.
func (e lawExample) value(t *testing.T, name string) cty.Value {
	t.Helper()
	if !e.has(name) {
		return cty.NilVal
	}
	var plain any
	e.read(t, name, &plain)
	return exampleValue(t, e.ty, plain)
}

// made holds a value that was made to the example's.
func (e lawExample) made(t *testing.T, name string, got cty.Value, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %s", name, err)
	}
	if want := e.value(t, name); !want.RawEquals(got) {
		t.Errorf("%s\n got %#v\nwant %#v", name, got, want)
	}
}

func (e lawExample) lines(t *testing.T, name string, got []string) {
	t.Helper()
	var want []string
	e.read(t, name, &want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-law +got):\n%s", name, diff)
	}
}

func (e lawExample) found(t *testing.T, name string, vs objchange.Violations) {
	t.Helper()
	got := []string{}
	for _, v := range vs {
		line := v.Error()
		if !v.Enforced {
			line += " (not enforced)"
		}
		got = append(got, line)
	}
	e.lines(t, name, got)
}

// paths reads paths of names, map keys and indexes: what a name means depends on
// the type that it leads into.
func (e lawExample) paths(t *testing.T, name string) (paths []cty.Path) {
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
				path, ty = path.GetAttr(name), ty.AttributeType(name)
			default:
				path, ty = path.IndexString(name), ty.ElementType()
			}
		}
		paths = append(paths, path)
	}
	return paths
}

// TestSemanticsPropertyTable derives each cell of the law's property table.
func TestSemanticsPropertyTable(t *testing.T) {
	columns := []cell{
		{state: none, config: none}, {state: none, config: other}, {state: other, config: none}, {state: other, config: same},
		{state: other, config: other}, {state: none, config: empty}, {state: other, config: empty},
	}
	seen := map[string]bool{}
	for _, line := range tableLines(t, semantics) {
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
				t.Errorf("%s, %s, state %s, configuration %s: the law says %q, the code %q", line[0], c.kind, c.state, c.config, line[2+i], want)
			}
		}
	}
	if len(seen) != len(propertyModes) {
		t.Errorf("only %v are in the table", seen)
	}
}

// TestSemanticsNamePhasesOfExcuses holds what the rule book says of the legacy SDK to the code:
// a rule is excused in the phases that its table names, and nowhere else.
func TestSemanticsNamePhasesOfExcuses(t *testing.T) {
	excused := map[string][]string{} // the phases, by the beginning of rules
	for _, line := range tableLines(t, semantics) {
		if rules, ok := strings.CutSuffix(line[0], "-…*"); ok {
			excused[strings.TrimPrefix(rules, "*")] = strings.Split(line[len(line)-1], ", ")
		}
	}
	if len(excused) != 2 {
		t.Fatalf("the book excuses %v", excused)
	}
	for _, rule := range objchange.Rules() {
		beginning, _, _ := strings.Cut(string(rule), "-")
		for _, phase := range []objchange.Phase{objchange.PhaseConfig, objchange.PhaseUpgrade, objchange.PhaseImport,
			objchange.PhaseRead, objchange.PhasePlan, objchange.PhaseReplan, objchange.PhaseApply} {
			says := slices.Contains(excused[beginning], string(phase))
			if does := slices.Contains(rule.Info().Tolerated, phase); does != says {
				t.Errorf("%s in phase %s: the book says %t, the code %t", rule, phase, says, does)
			}
		}
	}
}
