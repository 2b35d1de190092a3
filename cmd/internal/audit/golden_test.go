package audit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/audit"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/terminal"
	"github.com/objchange/objchange/cmd/internal/testkit"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/severity"
)

// outlines writes the subjects with findings or problems, and the notes.
func outlines(w *bytes.Buffer, r *report.Report) {
	for _, s := range r.Subjects {
		if s.Status == report.Checked && len(s.Findings) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s: %s", strings.Join(s.Columns(), ", "), s.Status)
		if s.Reason != "" {
			fmt.Fprintf(w, ": %s", s.Reason)
		}
		fmt.Fprintln(w)
		for _, f := range s.Findings {
			fmt.Fprintf(w, "  %s: %s: %s [%s]%s\n", f.Phase, f.Path, f.Message, f.Rule, severity.Note(f.Severity))
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, note)
	}
	fmt.Fprintln(w)
}

// set sets a value in a document and returns the document. A step is a name, an index, or the
// address of a resource. If several resources have the address, it is the last of them.
func set(t *testing.T, doc any, steps []string, value string) any {
	t.Helper()
	if len(steps) == 0 {
		return json.RawMessage(value)
	}
	remove := len(steps) == 1 && value == ""
	switch doc := doc.(type) {
	case map[string]any:
		if remove {
			delete(doc, steps[0])
		} else {
			doc[steps[0]] = set(t, doc[steps[0]], steps[1:], value)
		}
		return doc
	case []any:
		i := place(t, doc, steps[0])
		if remove {
			return slices.Delete(doc, i, i+1)
		}
		doc[i] = set(t, doc[i], steps[1:], value)
		return doc
	case nil:
		return set(t, map[string]any{}, steps, value)
	}
	t.Fatalf("the path %s leads into a %T", steps[0], doc)
	return nil
}

// place returns the index of the last resource with the address, or the index in the step.
func place(t *testing.T, list []any, step string) int {
	t.Helper()
	for i, r := range slices.Backward(list) {
		if o, _ := r.(map[string]any); o["address"] == step {
			return i
		}
	}
	i, err := strconv.Atoi(step)
	if err != nil {
		t.Fatalf("there is no %s", step)
	}
	return i
}

func runAudit(plan, state []byte, schemas *configschema.ProviderSchemas) (*report.Report, error) {
	pair := audit.Pair{Plan: "plan.json"}
	if state != nil {
		pair.State = "state.json"
	}
	return audit.Run(pair, schemas, func(name string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(map[string][]byte{"plan.json": plan, "state.json": state}[name])), nil
	})
}

// written returns the report in a format.
func written(t *testing.T, r *report.Report, format report.Format) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write(&out, format, report.Options{Terminal: terminal.New(&out, &out), Version: "(test)"}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// golden compares the result with a file in testdata/audit.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	testkit.Golden(t, filepath.Join(made, name), got)
}

func readJSON(t testing.TB, name string) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(testkit.ReadFile(t, filepath.Join(made, name))))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readSchemas(t testing.TB, name string) *configschema.ProviderSchemas {
	t.Helper()
	schemas, err := configschema.ParseProviderSchemas(testkit.ReadFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return schemas
}
