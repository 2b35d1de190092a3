package watch_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/objchange/objchange/livetest/internal/live"
)

// checkRecording compares the recording of the last run with its report. Replaying it must give
// the same report. Redacted, it must give the same rules and contain no values of the state.
func (w *workspace) checkRecording(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	watched, texts, shared := reportOf(t, text), w.textsOfState(t), w.recording
	if !slices.Contains(w.flags, "--redact") {
		if held := heldIn(t, filepath.Join(w.recording, "exchanges.jsonl"), texts); len(texts) > 0 && len(held) == 0 {
			t.Error("the recording has no value of the state")
		}
		if diff := cmp.Diff(watched, reportOf(t, w.objchangeRuns(t, "replay", "--format", "json", w.recording))); diff != "" {
			t.Errorf("(-watched +replayed):\n%s", diff)
		}
		w.checkUnpacked(t, watched)
		w.objchangeRuns(t, "replay", "--redact", w.recording+"-shared", w.recording)
		shared += "-shared"
	}
	replayed := reportOf(t, w.objchangeRuns(t, "replay", "--format", "json", shared))
	if diff := cmp.Diff(rulesOf(watched), rulesOf(replayed)); diff != "" {
		t.Errorf("(-watched +redacted and replayed):\n%s", diff)
	}
	if held := heldIn(t, filepath.Join(shared, "exchanges.jsonl"), texts); len(held) > 0 {
		t.Errorf("redacted, the recording has %q", held)
	}
}

// objchangeRuns runs the command. Findings are not an error.
func (w *workspace) objchangeRuns(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), w.objchange, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.Output()
	exit := (*exec.ExitError)(nil)
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, exit.Stderr)
	}
	return out
}

// reportOf reads a report without the parts that only a recording has.
func reportOf(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var r map[string]any
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	delete(r, "command")
	subjects := r["subjects"].([]any)
	if len(subjects) == 0 {
		delete(r, "notes") // that explain it
	}
	for _, s := range subjects {
		delete(s.(map[string]any), "file")
		delete(s.(map[string]any), "line")
	}
	return r
}

// rulesOf returns the findings of each subject, without values and keys.
func rulesOf(r map[string]any) (rules []string) {
	for _, s := range r["subjects"].([]any) {
		s := s.(map[string]any)
		rules = append(rules, fmt.Sprint(s["rpc"], s["type"], s["number"], s["action"], s["status"], s["reason"]))
		var found []string
		for _, f := range s["findings"].([]any) {
			f := f.(map[string]any)
			path, _, _ := strings.Cut(f["path"].(string), "[")
			found = append(found, fmt.Sprint(path, f["rule"], f["phase"], f["severity"], f["counts"]))
		}
		slices.Sort(found) // they were sorted by path, and so by keys
		rules = append(rules, found...)
	}
	return rules
}

// textsOfState returns the strings in the values of the state.
func (w *workspace) textsOfState(t *testing.T) map[string]bool {
	t.Helper()
	texts := map[string]bool{}
	for _, state := range []string{"terraform.tfstate", "terraform.tfstate.backup"} {
		text, err := os.ReadFile(filepath.Join(w.dir, state))
		if err != nil {
			continue // nothing is applied yet
		}
		var all struct {
			Resources []struct{ Instances []struct{ Attributes any } }
		}
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		for _, r := range all.Resources {
			for _, i := range r.Instances {
				addTexts(texts, i.Attributes)
			}
		}
	}
	return texts
}

// heldIn returns the texts that the messages of a recording contain.
func heldIn(t *testing.T, name string, texts map[string]bool) (held []string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Kind                string
			Requests, Responses [][]byte
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		for _, body := range slices.Concat(line.Requests, line.Responses) {
			for text := range texts {
				if bytes.Contains(body, []byte(text)) && !slices.Contains(held, text) {
					held = append(held, text)
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	return held
}

// addTexts adds strings that are unlikely to occur by chance.
func addTexts(texts map[string]bool, data any) {
	switch data := data.(type) {
	case string:
		if len(data) > 4 {
			texts[data] = true
		}
	case []any:
		for _, part := range data {
			addTexts(texts, part)
		}
	case map[string]any:
		for name, part := range data {
			if _, dynamic := data["value"]; !dynamic || name != "type" { // part of the shape, not a value
				addTexts(texts, part)
			}
		}
	}
}

// TestWatchRedactsValues checks that watch with --redact never writes values.
func TestWatchRedactsValues(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "terraform")
	w.flags = []string{"--redact"}
	provider := filepath.Join(w.dir, "terraform-provider-time")
	live.BuildAs(t, live.TimeProvider, provider)
	w.providers = []string{"--provider", live.Registry + "time=" + provider}
	w.write(t, "main.tf", `
		resource "time_static" "it" {
			count    = 3
			rfc3339  = "`+live.BaseTime+`"
			triggers = { hunter = "hunter-${count.index}" }
		}
		resource "time_offset" "later" {
			base_rfc3339 = time_static.it[0].rfc3339
			offset_days  = 3
		}`)
	for _, args := range [][]string{{"apply", "-auto-approve"}, {"plan", "-detailed-exitcode"}, {"destroy", "-auto-approve"}} {
		r, status := w.run(t, args...)
		r.clean(t, args[0], status)
	}
}
