package explain_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/explain"
)

// A textCase is a text with the right answers: the fields of each error, in any order. In addition,
// steps_have and steps_not are parts of the steps. A provider may have more before it.
type textCase struct {
	Name, Text string
	Expect     []map[string]any
}

// TestFaultIsAttributed checks the answers for texts like those in public issues, forums and logs: the errors,
// who is at fault, and the steps.
func TestFaultIsAttributed(t *testing.T) {
	file, err := os.ReadFile("testdata/judged.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(file))
	lines.Buffer(nil, len(file))
	for lines.Scan() {
		var text textCase
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			t.Fatal(err)
		}
		t.Run(text.Name, func(t *testing.T) { text.check(t) })
	}
}

func (j textCase) check(t *testing.T) {
	t.Helper()
	printed, err := explain.JSON(explain.Find(j.Text))
	var found struct{ Errors []map[string]any }
	if err == nil {
		err = json.Unmarshal(printed, &found)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Errors) != len(j.Expect) {
		t.Errorf("%d errors, want %d", len(found.Errors), len(j.Expect))
	}
	for _, want := range j.Expect {
		if !slices.ContainsFunc(found.Errors, func(got map[string]any) bool { return fits(got, want) }) {
			t.Errorf("no error has %v in\n%s", want, printed)
		}
	}
}

// fits reports whether an error has all expected fields.
func fits(got, want map[string]any) bool {
	printed, err := json.Marshal(got["steps"])
	if err != nil {
		return false
	}
	has := func(part any) bool { return strings.Contains(string(printed), part.(string)) }
	for field, value := range want {
		switch provider, _ := got[field].(string); field {
		case "steps_have":
			if slices.ContainsFunc(value.([]any), func(part any) bool { return !has(part) }) {
				return false
			}
		case "steps_not":
			if slices.ContainsFunc(value.([]any), has) {
				return false
			}
		case "provider":
			if !strings.HasSuffix(provider, value.(string)) {
				return false
			}
		case "frame":
			frame, _ := got[field].(map[string]any)
			for part, text := range value.(map[string]any) {
				if frame[part] != text {
					return false
				}
			}
		default:
			if got[field] != value {
				return false
			}
		}
	}
	return true
}
