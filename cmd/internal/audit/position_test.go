package audit_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/testkit"
)

// TestSubjectIsAtBeginningOfResource checks that the place of a subject is the beginning of the
// resource, for different layouts of the plan and after characters with several bytes, and that the
// place of a finding about an applied value is in the state.
func TestSubjectIsAtBeginningOfResource(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	state := testkit.ReadFile(t, filepath.Join(recorded, "2-noop", "state.json"))
	plan := bytes.Replace(testkit.ReadFile(t, filepath.Join(recorded, "4-replace", "plan.json")), []byte("{"), []byte(`{"Größe": "`+strings.Repeat("ü", 70_000)+`", `), 1)
	var indented bytes.Buffer
	if err := json.Indent(&indented, plan, "", "\t"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"in one line": plan, "in many": indented.Bytes()} {
		r, err := runAudit(text, state, schemas)
		if err != nil {
			t.Fatal(err)
		}
		lines, found := strings.Split(string(text), "\n"), 0
		for _, s := range r.Subjects {
			if len(s.Findings) == 0 {
				continue
			}
			rest := string([]rune(strings.Join(lines[s.Place.Line-1:], "\n"))[s.Place.Column-1:])
			var resource struct{ Address string }
			if err := json.NewDecoder(strings.NewReader(rest)).Decode(&resource); err != nil || resource.Address != s.Address {
				t.Errorf("%s: %s is not at %d:%d: %v", name, s.Address, s.Place.Line, s.Place.Column, err)
			}
			for _, f := range s.Findings {
				found++
				_, value, _ := strings.Cut(f.Message, " and is ")
				if !strings.HasPrefix(string(state[f.Column-1:]), value) || f.File != "state.json" || f.Line != 1 || !strings.HasPrefix(f.Pointer, "/values/root_module/resources/") {
					t.Errorf("%s %s is at %+v, where %.20q is", s.Address, f.Message, f.Place, state[f.Column-1:])
				}
			}
		}
		if found < 8 {
			t.Errorf("%d findings", found)
		}
	}
}
