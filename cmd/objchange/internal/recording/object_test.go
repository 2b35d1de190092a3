package recording

import (
	"bytes"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
)

// names are those of the subjects.
func names(t *testing.T, r *recorder) string {
	t.Helper()
	found, err := r.replay()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, s := range found.Subjects {
		all = append(all, strings.Join(s.Columns, " "))
	}
	return strings.Join(all, "\n")
}

// Instances of one type are told apart by their ids, and requests that tell none by
// their number.
func TestObjects(t *testing.T) {
	b := cty.StringVal("b")
	r := newRecorder(t)
	r.read(sized(1, a))
	r.read(sized(1, b))
	r.read(sized(1, noID))
	r.plan(none, sized(1, noID), sized(1, noID), sized(1, unknownID))
	r.plan(sized(1, a), sized(2, noID), sized(2, a), sized(2, a))
	r.plan(sized(1, b), none, none, none)
	r.plan(none, sized(2, noID), sized(2, noID), sized(2, unknownID))
	r.apply(sized(1, a), sized(2, a), sized(2, b)) // which it was before
	r.apply(none, sized(1, unknownID), sized(1, cty.StringVal(strings.Repeat("ü", 61))))
	r.apply(none, sized(1, unknownID), sized(1, cty.StringVal("a\n\u202e\xff")))

	const want = `ReadResource test_thing "a" -
ReadResource test_thing "b" -
ReadResource test_thing #3 -
PlanResourceChange test_thing #1 create
PlanResourceChange test_thing "a" update
PlanResourceChange test_thing "b" delete
PlanResourceChange test_thing #4 create
ApplyResourceChange test_thing "a" update
ApplyResourceChange test_thing "` + "üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü" + `"… create
ApplyResourceChange test_thing "a\n\u202e\xff" create`
	if got := names(t, r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The number is that of the request among all, whether they can be judged or not.
func TestNumbers(t *testing.T) {
	r := newRecorder(t)
	for range 2 { // to the same file
		r.clock = 6
		r.read(sized(1, noID))
	}
	r.clock = 10
	r.read(sized(1, noID))
	r.typeName = "unheard_of"
	r.read(sized(1, a))
	const want = `ReadResource test_thing #1 -
ReadResource test_thing #2 -
ReadResource test_thing #3 -
ReadResource unheard_of #1 -`
	if got := names(t, r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// An id that is sensitive is shown in no format; one that is not is in all.
func TestObjectsInFormats(t *testing.T) {
	for _, sensitive := range []bool{false, true} {
		r := newRecorder(t)
		if sensitive {
			r.schemas = strings.ReplaceAll(r.schemas, `"id":     {`, `"id":     {"sensitive": true, `)
		}
		r.read(thing(map[string]cty.Value{"id": cty.StringVal("i-42"), "size": cty.UnknownVal(cty.Number)}))
		found, err := r.replay()
		if err != nil {
			t.Fatal(err)
		}
		want, not := "i-42", "#1"
		if sensitive {
			want, not = not, want
		}
		for _, format := range report.Formats() {
			var out bytes.Buffer
			o := report.Options{Terminal: terminal.New(nil, nil, nil)}
			if err := found.Write(&out, report.Format(format), o); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); !strings.Contains(got, want) || strings.Contains(got, not) {
				t.Errorf("%s has no %s, or %s:\n%s", format, want, not, got)
			}
		}
	}
}
