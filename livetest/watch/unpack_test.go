package watch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/objchange/objchange/livetest/internal/live"
)

// unpackedPhases maps the RPCs that documents support to the phases of findings about their
// responses.
var unpackedPhases = map[string]string{
	live.Plan: "plan", live.Apply: "apply", live.Read: "read", live.Upgrade: "upgrade", "MoveResourceState": "upgrade", "ImportResourceState": "import",
}

// checkUnpacked converts the recording of the last run to documents, and compares the findings of
// check with the report of the run.
func (w *workspace) checkUnpacked(t *testing.T, watched map[string]any) {
	t.Helper()
	if len(watched["subjects"].([]any)) == 0 {
		return
	}
	documents := w.objchangeRuns(t, "replay", "--documents", w.recording)
	rpcs := map[string]string{}
	for line := range bytes.Lines(documents) {
		var document struct{ Name string }
		if err := json.Unmarshal(line, &document); err != nil {
			t.Fatal(err)
		}
		rpcs[document.Name], _, _ = strings.Cut(document.Name, " ")
	}
	want, got := map[string][]string{}, map[string][]string{}
	for _, s := range watched["subjects"].([]any) {
		s := s.(map[string]any)
		name := fmt.Sprintf("%s %s #%v", s["rpc"], s["type"], s["number"])
		phase, known := unpackedPhases[s["rpc"].(string)]
		if _, unpacked := rpcs[name]; known && s["status"] == "checked" && !unpacked {
			t.Errorf("%s has no document", name)
		}
		if found := rulesIn(s, phase); known && found != nil {
			want[name] = found
		}
	}
	w.write(t, "documents.jsonl", string(documents))
	checked := reportOf(t, w.objchangeRuns(t, "check", "--format", "json", "documents.jsonl"))
	for _, s := range checked["subjects"].([]any) {
		s := s.(map[string]any)
		name := s["name"].(string)
		if found := rulesIn(s, unpackedPhases[rpcs[name]]); found != nil {
			got[name] = found
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-watched +unpacked and checked):\n%s", diff)
	}
}

// rulesIn returns the findings of a subject in a phase, except findings about a request or an
// identity.
func rulesIn(subject map[string]any, phase string) (found []string) {
	for _, f := range subject["findings"].([]any) {
		f := f.(map[string]any)
		if message := f["message"].(string); f["phase"] == phase && !strings.HasPrefix(message, "in the ") {
			found = append(found, fmt.Sprint(f["rule"], f["path"], message, f["severity"]))
		}
	}
	slices.Sort(found)
	return found
}
