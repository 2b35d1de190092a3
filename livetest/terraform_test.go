package livetest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// A terraform is the real command, in a separate directory, with one resource of a provider that
// is served to it.
type terraform struct {
	dir      string
	env      []string
	typeName string
	schema   *configschema.Block // nil for data sources and ephemeral resources
	runs     int                 // the number of runs with a late value
	ignored  []string            // ignored changes, by attribute name
	provider *provider
}

// address returns the address of the resource in all configurations.
func (tf *terraform) address() string { return tf.typeName + ".it" }

// newTerraform serves the provider to the command. It skips the test if the command is not
// available.
func newTerraform(t *testing.T, p *provider, typeName string, schema *configschema.Block) *terraform {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to compare with")
	}
	dir := t.TempDir()
	tf := &terraform{dir: dir, typeName: typeName, schema: schema, provider: p}
	tf.write(t, "terraformrc", nil)
	tf.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"TF_CLI_CONFIG_FILE=" + tf.path("terraformrc"), "TF_LOG_CORE=WARN", "TF_LOG_PATH=" + tf.path("log"),
		"TF_REATTACH_PROVIDERS=" + p.serve(t, typeName),
	}
	return tf
}

func (tf *terraform) path(name string) string { return filepath.Join(tf.dir, name) }

func (tf *terraform) write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(tf.path(name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A message is a line of the command's output with -json.
type message struct {
	Type       string
	Diagnostic struct{ Severity, Summary, Detail, Address string }
	Change     struct {
		Resource struct{ Addr string }
		Action   string
	}
	Hook struct{ Resource struct{ Addr string } }
}

// A report is the output of one command.
type report struct {
	messages   []message
	log        string // Core's log
	planning   bool   // the command does not apply
	refreshing bool   // compare the changes found by refresh, not the planned ones
}

// applied reports whether a change of the resource was applied successfully.
func (r report) applied(address string) bool {
	return slices.ContainsFunc(r.messages, func(m message) bool {
		return m.Type == "apply_complete" && m.Hook.Resource.Addr == address
	})
}

// run runs a command that prints JSON.
func (tf *terraform) run(t *testing.T, args ...string) (r report) {
	t.Helper()
	out, failed := tf.exec(t, append(args, "-json", "-input=false", "-no-color")...)
	for line := range bytes.Lines(out) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("terraform %v printed %s", args, line)
		}
		r.messages = append(r.messages, m)
	}
	log, err := os.ReadFile(tf.path("log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	r.log = string(log)
	r.checkFailure(t, failed)
	return r
}

// imports imports the object with the ID. The import command does not print JSON.
func (tf *terraform) imports(t *testing.T, id string) report {
	t.Helper()
	out, failed := tf.exec(t, "import", "-no-color", "-input=false", tf.address(), id)
	r := report{planning: true}
	for line := range strings.Lines(string(out)) {
		if _, summary, ok := strings.Cut(line, "Error: "); ok {
			var m message
			m.Type, m.Diagnostic.Severity, m.Diagnostic.Summary = "diagnostic", "error", strings.TrimSpace(summary)
			r.messages = append(r.messages, m)
		}
	}
	r.checkFailure(t, failed)
	return r
}

// checkFailure fails the test if a command failed without an error message, or succeeded with one.
func (r report) checkFailure(t *testing.T, failed bool) {
	t.Helper()
	if hasError := slices.ContainsFunc(r.messages, message.failed); hasError != failed {
		t.Fatalf("the command failed: %v, but its messages are %v", failed, r.messages)
	}
}

func (m message) failed() bool { return m.Type == "diagnostic" && m.Diagnostic.Severity == "error" }

// exec runs a command and returns its output, and whether it failed.
func (tf *terraform) exec(t *testing.T, args ...string) (out []byte, failed bool) {
	t.Helper()
	if err := os.RemoveAll(tf.path("log")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "terraform", args...)
	cmd.Dir, cmd.Env = tf.dir, tf.env
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out, err != nil
}

// A saved is the resource in the state file.
type saved struct {
	Type      string
	Instances []struct {
		Status     string
		Attributes json.RawMessage
		Private    []byte
	}
}

// state returns the resources in the state file.
func (tf *terraform) state(t *testing.T) []saved {
	t.Helper()
	text, err := os.ReadFile(tf.path("terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var file struct{ Resources []saved }
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Resources
}

// object returns the state of the resource, or null, and whether it is tainted.
func (tf *terraform) object(t *testing.T, ty cty.Type) (object cty.Value, tainted bool) {
	t.Helper()
	all := tf.state(t)
	i := slices.IndexFunc(all, func(s saved) bool { return s.Type == tf.typeName })
	if i < 0 || len(all[i].Instances) == 0 {
		return cty.NullVal(ty), false
	}
	object, err := ctyjson.Unmarshal(all[i].Instances[0].Attributes, ty)
	if err != nil {
		t.Fatal(err)
	}
	return object, all[i].Instances[0].Status == "tainted"
}

// forget removes the state file.
func (tf *terraform) forget(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(tf.path("terraform.tfstate")); err != nil {
		t.Fatal(err)
	}
}
