package spectest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// functions lists all functions of the package that take values. Tests that apply to all functions
// use this table.
var functions = []function{
	{"ProposedNew", []argument{priorArg.withZero(isNull), configArg}, false, func(s *configschema.Block, v []cty.Value) result {
		return resultOf(objchange.ProposedNew(Compiled(s), v[0], v[1]))
	}},
	{"PlannedDataResource", []argument{configArg}, false, func(s *configschema.Block, v []cty.Value) result {
		return resultOf(objchange.PlannedDataResource(Compiled(s), v[0]))
	}},
	{"PlanComputed", []argument{configArg.named("proposed")}, false, func(s *configschema.Block, v []cty.Value) result {
		return resultOf(objchange.PlanComputed(Compiled(s), v[0]))
	}},
	{"PrepareComputedBlocks", []argument{configArg}, false, func(s *configschema.Block, v []cty.Value) result {
		return resultOf(objchange.PrepareComputedBlocks(Compiled(s), v[0]))
	}},
	{"NormalizeLegacySDK", []argument{plannedArg.withZero(isNull)}, false, func(s *configschema.Block, v []cty.Value) result {
		return resultOf(objchange.NormalizeLegacySDK(Compiled(s), v[0]))
	}},
	{"IgnoreChanges", []argument{priorArg.withZero(isNull).known(), configArg}, false, func(s *configschema.Block, v []cty.Value) result {
		return resultOf(objchange.IgnoreChanges(Compiled(s), v[0], v[1], shortPaths(v...)))
	}},
	{"IgnoreAllChanges", []argument{priorArg.withZero(isNull)}, false, func(s *configschema.Block, v []cty.Value) result {
		return resultOf(objchange.IgnoreAllChanges(Compiled(s), v[0]))
	}},
	{"PartialState", []argument{priorArg.withZero(isNull).known(), configArg.named("planned"), plannedArg.named("returned").withZero(isNull).ignored()}, false, func(s *configschema.Block, v []cty.Value) result {
		state, tainted, err := objchange.PartialState(Compiled(s), v[0], v[1], v[2])
		a := resultOf(state, err)
		a.texts = append(a.texts, fmt.Sprint(tainted))
		return a
	}},
	{"AssertConfigValid", []argument{configArg}, true, func(s *configschema.Block, v []cty.Value) result {
		return result{found: objchange.AssertConfigValid(Compiled(s), v[0])}
	}},
	{"AssertConfigConsistent", []argument{configArg.named("initial"), plannedArg.named("final")}, true, func(s *configschema.Block, v []cty.Value) result {
		return result{found: objchange.AssertConfigConsistent(Compiled(s), v[0], v[1])}
	}},
	{"AssertPlanValid", []argument{priorArg.withZero(isNull).known(), configArg, plannedArg}, true, func(s *configschema.Block, v []cty.Value) result {
		return result{found: objchange.AssertPlanValid(Compiled(s), v[0], v[1], v[2])}
	}},
	{"AssertPlanConsistent", []argument{configArg.named("initial"), plannedArg.named("final")}, true, func(s *configschema.Block, v []cty.Value) result {
		return result{found: objchange.AssertPlanConsistent(Compiled(s), v[0], v[1])}
	}},
	{"AssertApplyConsistent", []argument{configArg.named("planned"), plannedArg.named("applied")}, true, func(s *configschema.Block, v []cty.Value) result {
		return result{found: objchange.AssertApplyConsistent(Compiled(s), v[0], v[1])}
	}},
	{"AssertStateValid", []argument{plannedArg.named("state")}, true, func(s *configschema.Block, v []cty.Value) result {
		return result{found: objchange.AssertStateValid(Compiled(s), v[0])}
	}},
	{"RequiredReplace", []argument{priorArg.withZero(isNull).known(), plannedArg}, true, func(s *configschema.Block, v []cty.Value) result {
		required, found := objchange.RequiredReplace(Compiled(s), v[0], v[1], shortPaths(v...))
		a := result{found: found}
		for _, path := range required {
			a.paths = append(a.paths, pathString(path))
		}
		return a
	}},
	{"Diff", []argument{priorArg.named("before"), plannedArg.named("after")}, false, func(s *configschema.Block, v []cty.Value) result {
		changes, err := objchange.Diff(Compiled(s), v[0], v[1])
		a := resultOf(valueOf(changes), err)
		for _, c := range changes {
			a.texts = append(a.texts, c.String(), c.PathString())
		}
		return a
	}},
	{lifecycleCheck, []argument{priorArg.withZero(isAbsent).known(), configArg.withZero(isAbsent), plannedArg.withZero(isAbsent)}, false, func(s *configschema.Block, v []cty.Value) result {
		return result{found: objchange.Lifecycle{
			Schema: Compiled(s), Upgraded: v[0], Imported: v[0], Prior: v[0], Config: v[1], InitialPlanned: v[2],
			FinalConfig: v[1], FinalPlanned: v[2], New: v[2],
		}.Check()}
	}},
	{planAction, []argument{priorArg.withZero(isNull), plannedArg.withZero(isNull)}, false, func(_ *configschema.Block, v []cty.Value) result {
		return result{texts: []string{string(objchange.PlanAction(v[0], v[1], false)), string(objchange.PlanAction(v[0], v[1], true))}}
	}},
}

const (
	lifecycleCheck = "Lifecycle.Check" // runs several checks
	planAction     = "PlanAction"      // accepts any values and has no schema
)

// A function takes a schema and values.
type function struct {
	name    string
	takes   []argument
	isCheck bool
	call    func(schema *configschema.Block, v []cty.Value) result
}

// An argument describes an argument of a function. Its value is one of three values: the prior
// value, the configuration or the plan.
type argument struct {
	name  string // in messages
	index int    // index in the three values
	zero  zeroMeaning
	// needsKnown: the function rejects a value that is unknown as a whole.
	// isIgnored: the function ignores an invalid value and returns no error.
	needsKnown, isIgnored bool
}

// The indexes of the three values.
const (
	priorIndex = iota
	configIndex
	plannedIndex
)

var (
	priorArg   = argument{name: "prior", index: priorIndex}
	configArg  = argument{name: "config", index: configIndex}
	plannedArg = argument{name: "planned", index: plannedIndex}
)

// A zeroMeaning is the meaning of the zero cty.Value as an argument.
type zeroMeaning int

const (
	isRejected zeroMeaning = iota
	isNull
	isAbsent
)

func (a argument) named(name string) argument      { a.name = name; return a }
func (a argument) withZero(z zeroMeaning) argument { a.zero = z; return a }
func (a argument) known() argument                 { a.needsKnown = true; return a }
func (a argument) ignored() argument               { a.isIgnored = true; return a }

// TestFunctionsAreComplete checks that the table contains all functions of the package.
func TestFunctionsAreComplete(t *testing.T) {
	names := []string{"Compile", "PathString", "Rules"} // functions without values
	for _, f := range functions {
		if f.name != lifecycleCheck {
			names = append(names, f.name)
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff(ExportedFunctions(t, "../.."), names); diff != "" {
		t.Error(diff)
	}
}

// A result contains everything that a function returns.
type result struct {
	value cty.Value            // the returned value, if any
	found objchange.Violations // violations of a check, or the first problem of an input error
	texts []string             // all other returned text
	paths []string             // paths; nothing is redacted
}

func resultOf(v cty.Value, err error) result {
	a := result{value: v}
	if unusable := (*objchange.InputError)(nil); errors.As(err, &unusable) {
		a.found, a.texts = unusable.Problems[:1], []string{err.Error()}
	} else if err != nil {
		a.texts = []string{"not an input error: " + err.Error()}
	}
	return a
}

// valueOf returns a value that represents the changes. It returns cty.NilVal for nil.
func valueOf(changes []objchange.Change) cty.Value {
	if changes == nil {
		return cty.NilVal
	}
	lines := []cty.Value{}
	for _, c := range changes {
		lines = append(lines, Tuple(Str(pathString(c.Path)), Str(string(c.Kind)), c.Before, c.After))
	}
	return Tuple(lines...)
}

// shortPaths returns paths of the values that have one or two steps.
func shortPaths(values ...cty.Value) (paths []cty.Path) {
	for _, v := range values {
		for _, e := range elementsWithoutPanic(v) {
			paths = append(paths, cty.Path{e.Step})
			if inner, _ := e.Value.Unmark(); !inner.IsNull() && inner.IsKnown() && inner.CanIterateElements() && inner.LengthInt() < 3 {
				for _, i := range elementsWithoutPanic(inner) {
					paths = append(paths, cty.Path{e.Step, i.Step})
				}
			}
		}
	}
	return paths
}

// elementsWithoutPanic is like parts.ElementsOf. It returns nil for a set whose elements
// panic when they are compared.
func elementsWithoutPanic(v cty.Value) []parts.Entry {
	return withoutPanic(func() []parts.Entry { return parts.ElementsOf(v) }, nil)
}

// run calls the function. It passes those of the three values that the function takes.
func (f function) run(schema *configschema.Block, values ...cty.Value) result {
	return f.call(schema, f.argumentsOf(values))
}

// runWith calls the function with this as the argument a, and others as all other arguments.
func (f function) runWith(a argument, schema *configschema.Block, this, others cty.Value) result {
	values := []cty.Value{others, others, others}
	values[a.index] = this
	return f.run(schema, values...)
}

// returnsValue reports whether the function returns a value.
func (f function) returnsValue() bool {
	return !f.isCheck && f.name != lifecycleCheck && f.name != planAction
}

func (f function) argumentsOf(values []cty.Value) (taken []cty.Value) {
	for _, a := range f.takes {
		taken = append(taken, values[a.index])
	}
	return taken
}

// text returns all text of a result: violations as JSON, messages and paths.
func (a result) text() string {
	text, err := json.Marshal(a.found)
	if err != nil {
		return err.Error()
	}
	for _, v := range a.found {
		text = fmt.Appendf(text, "\n%s %s %s %s", v.Error(), v.Message, v.PathString(), objchange.PathString(v.Inside))
	}
	return string(text) + "\n" + fmt.Sprint(a.texts)
}

// equalResults checks that two results are equal, including the order of violations and their paths.
func equalResults(t rapid.TB, what string, want, got result) {
	t.Helper()
	if (want.value == cty.NilVal) != (got.value == cty.NilVal) || want.value != cty.NilVal && !want.value.RawEquals(got.value) {
		t.Errorf("%s\n got %#v\nwant %#v", what, got.value, want.value)
	}
	if diff := cmp.Diff(want.text(), got.text()); diff != "" {
		t.Errorf("%s\n%s", what, diff)
	} else if !slices.EqualFunc(want.found, got.found, samePath) || !slices.Equal(want.paths, got.paths) {
		t.Errorf("%s: the paths differ", what)
	}
}

func samePath(a, b *objchange.Violation) bool {
	return slices.EqualFunc(a.Path, b.Path, parts.SameStep)
}

// expectRejected checks that the function reported the violation and returned no value.
func expectRejected(t *testing.T, a result, line string) {
	t.Helper()
	Expect(t, a.found, line)
	if a.value != cty.NilVal {
		t.Errorf("got a value and an error: %#v", a.value)
	}
}
