package show_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/show"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/testkit"
	"github.com/objchange/objchange/configschema"
)

// TestNarrow checks that the difference of two values is visible for any label and any width of the
// terminal, and that their common beginning is shortened.
func TestNarrow(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	_, tty := testkit.Terminal(t, 80)
	for _, width := range []uint16{1, 20, 40, 60, 80, 120, 200} {
		testkit.Resize(t, tty, width)
		for label := 1; label <= 120; label++ {
			for _, same := range []int{0, 1, 5, 11, 12, 13, 40, 200} {
				before, after := strings.Repeat("s", same)+"before, as it was", strings.Repeat("s", same)+"after, as it is"
				name := strings.Repeat("l", label)
				out := shownChange(t, tty, name, before, after)
				if !strings.Contains(out, name) || !strings.Contains(out, " -> ") {
					t.Fatalf("%d columns, a label of %d, %d the same: %s", width, label, same, out)
				}
			}
		}
	}
	testkit.Resize(t, tty, 80)
	name := strings.Repeat("l", 60)
	for _, test := range []struct{ before, after, want string }{
		{"the same, before", "the same, after", `…e, b… -> …e, a…`},
		{"before it was so", "after it is so", `"befo… -> "afte…`},
	} {
		want := fmt.Sprintf("    ~ %s = %s\n", name, test.want)
		if got := shownChange(t, tty, name, test.before, test.after); !strings.HasSuffix(got, want) {
			t.Errorf("shows\n%swant\n%s", got, want)
		}
	}
}

func shownChange(t *testing.T, on io.Writer, name, before, after string) string {
	t.Helper()
	schema := compiled(&configschema.Block{Attributes: map[string]*configschema.Attribute{name: {Type: cty.String, Optional: true}}})
	value := func(s string) cty.Value { return cty.ObjectVal(map[string]cty.Value{name: cty.StringVal(s)}) }

	var out bytes.Buffer
	err := show.Change(&out, terminal.New(nil, on, nil), show.Resource{
		Address: "it", Schema: schema, Before: value(before), After: value(after), Action: objchange.ActionUpdate,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
