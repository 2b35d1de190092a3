package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

var update = flag.Bool("update", false, "write the golden files in testdata anew")

const recordings = "../../testdata/recordings/time"

// The recorded runs of Terraform: the reports are those in testdata.
func TestReplayRecorded(t *testing.T) {
	for golden, dir := range map[string]string{
		"all.golden":      recordings,
		"3-update.golden": filepath.Join(recordings, "3-update"),
	} {
		t.Run(golden, func(t *testing.T) {
			var out, errs strings.Builder
			if status := run([]string{"replay", dir}, &out, &errs); status != exitOK {
				t.Errorf("exit status %d; %s", status, errs.String())
			}
			compareGolden(t, golden, out.String())
		})
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		writeFile(t, name, got)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the report is not that in %s; it is\n%s", name, got)
	}
}

// A life of a thing, from the first plan to its destruction.
func TestReplayLife(t *testing.T) {
	one := sized(1, cty.StringVal("a"))
	two := sized(2, cty.StringVal("a"))

	r := newRecorder(t)
	r.plan(none, sized(1, cty.NullVal(cty.String)), sized(1, cty.NullVal(cty.String)), sized(1, unknownID))
	r.apply(none, sized(1, unknownID), one)
	r.upgrade(one)
	r.read(one)
	r.plan(one, sized(1, cty.NullVal(cty.String)), one, one)
	r.plan(one, sized(2, cty.NullVal(cty.String)), two, two)
	r.apply(one, two, two)
	r.plan(two, none, none, none)
	r.apply(two, none, none)
	r.request("ImportResourceState",
		field{"Response_ImportedResource_State", one},
		field{"Response_ImportedResource_State", two})

	expect(t, r, exitOK, `
DIR
  PlanResourceChange    test_thing  create   ok
  ApplyResourceChange   test_thing  create   ok
  UpgradeResourceState  test_thing  -        ok
  ReadResource          test_thing  -        ok
  PlanResourceChange    test_thing  no-op    ok
  PlanResourceChange    test_thing  update   ok
  ApplyResourceChange   test_thing  update   ok
  PlanResourceChange    test_thing  destroy  ok
  ApplyResourceChange   test_thing  destroy  ok
  ImportResourceState   test_thing  -        ok
`)
}

// Core proposed something else than ProposedNew does.
func TestReplayProposalDiffers(t *testing.T) {
	config := thing(map[string]cty.Value{
		"secret": cty.StringVal("hunter2"),
		"users": cty.MapVal(map[string]cty.Value{
			"alice": cty.ObjectVal(map[string]cty.Value{"token": cty.StringVal("hunter3")}),
		}),
	})
	altered := thing(map[string]cty.Value{
		"secret": cty.StringVal("hunter4"),
		"size":   cty.NumberIntVal(5),
		"users": cty.MapVal(map[string]cty.Value{
			"alice": cty.ObjectVal(map[string]cty.Value{"token": cty.StringVal("hunter5")}),
		}),
	})

	r := newRecorder(t)
	r.plan(none, config, altered, config)

	expect(t, r, exitWrong, `
DIR
  PlanResourceChange  test_thing  create  proposal differs
      proposal  .secret: not what Core proposed
      proposal  .size: not what Core proposed
      proposal  .users: not what Core proposed
`)
}

// A proposal may differ in nothing but what it promises of an unknown value.
func TestReplayProposalDiffersInRefinement(t *testing.T) {
	config := thing(map[string]cty.Value{"secret": cty.UnknownVal(cty.String)})
	altered := thing(map[string]cty.Value{"secret": cty.UnknownVal(cty.String).RefineNotNull()})

	r := newRecorder(t)
	r.plan(none, config, altered, config)

	expect(t, r, exitWrong, `
DIR
  PlanResourceChange  test_thing  create  proposal differs
      proposal  (root): an unknown value promises something else than Core's
`)
}

// Enforced violations are counted in the line, and follow it.
func TestReplayViolations(t *testing.T) {
	one := sized(1, cty.StringVal("a"))

	r := newRecorder(t)
	r.plan(one, sized(2, cty.NullVal(cty.String)), sized(2, cty.StringVal("a")), sized(3, cty.StringVal("a")))
	r.apply(one, sized(2, unknownID), sized(3, unknownID))
	r.read(sized(1, unknownID))

	expect(t, r, exitWrong, `
DIR
  PlanResourceChange   test_thing  update  1 violation
      plan-not-config  .size: ...
  ApplyResourceChange  test_thing  update  2 violations
      state-unknown  .id: ...
      inconsistent-value  .size: ...
  ReadResource         test_thing  -       1 violation
      state-unknown  .id: ...
`)
}

// A violation that Core does not enforce is told, but changes nothing.
func TestReplayNotEnforced(t *testing.T) {
	r := newRecorder(t)
	r.read(thing(map[string]cty.Value{"rule": cty.NullVal(thingType.AttributeType("rule"))}))

	expect(t, r, exitOK, `
DIR
  ReadResource  test_thing  -  ok, 1 not enforced
      state-null-blocks  .rule: ... (not enforced)
`)
}

// Sensitive values are in no line, whatever is wrong with them.
func TestReplayHidesSensitiveValues(t *testing.T) {
	secret := func(s string) cty.Value { return thing(map[string]cty.Value{"secret": cty.StringVal(s)}) }

	r := newRecorder(t)
	r.plan(none, secret("hunter2"), secret("hunter3"), secret("hunter4"))
	r.apply(none, secret("hunter2"), secret("hunter3"))

	status, stdout, _ := r.replay()
	if status != exitWrong || strings.Contains(stdout, "hunter") {
		t.Errorf("exit status %d, and the report\n%s", status, stdout)
	}
}

// Each request is counted in one line, and again in the last one if it has
// violations that are not enforced.
func TestReplaySummary(t *testing.T) {
	one := sized(1, cty.StringVal("a"))

	r := newRecorder(t)
	r.request("ValidateResourceConfig", field{"Request_Config", one})
	r.request("ReadDataSource", field{"Request_Config", one}, field{"Response_State", one})
	r.request("ReadDataSource", field{"Request_Config", one}, field{"Response_State", one})
	r.read(one)
	r.read(sized(1, unknownID))
	r.read(thing(map[string]cty.Value{"rule": cty.NullVal(thingType.AttributeType("rule"))}))
	r.read(cty.NilVal)
	r.request("ApplyResourceChange", field{"Request_PlannedState", one})

	status, stdout, _ := r.replay()
	_, got, _ := strings.Cut(stdout, "\n\n")
	want := `summary of 1 recording
  ok              2
  wrong           1
  failed          1
  skipped         1
  not judged      3  ReadDataSource 2, ValidateResourceConfig 1
  violations that are not enforced: in 1 request
`
	if status != exitWrong || got != want {
		t.Errorf("exit status %d, and the summary\n%s\nwant\n%s", status, got, want)
	}
}

// expect replays what was recorded, and compares the exit status and the report
// but for its summary. In it "..." stands for a message of the library.
func expect(t *testing.T, r *recorder, status int, want string) {
	t.Helper()
	gotStatus, stdout, stderr := r.replay()
	if gotStatus != status || stderr != "" {
		t.Errorf("exit status %d, want %d; %s", gotStatus, status, stderr)
	}
	got, _, _ := strings.Cut(stdout, "\nsummary of ")
	if want := strings.TrimPrefix(want, "\n"); !matches(got, want) {
		t.Errorf("got the report\n%s\nwant\n%s", got, want)
	}
}

// matches reports whether the text is as wanted, where "..." stands for
// anything but a line's end.
func matches(text, want string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, `.+`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(text)
}
