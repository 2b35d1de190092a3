package live

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

// A Terraform is the real command, in a separate directory, with one resource of a provider that
// is served to it.
type Terraform struct {
	dir      string
	env      []string
	TypeName string
	Block    *configschema.Block // nil for data sources and ephemeral resources
	runs     int                 // the number of runs with a late value
	Ignored  string              // the attribute whose changes are ignored
	provider *Provider
}

// Address returns the address of the resource in all configurations.
func (tf *Terraform) Address() string { return tf.TypeName + ".it" }

// NewTerraform serves the provider to the command. It skips the test if the command is not
// available.
func NewTerraform(t *testing.T, p *Provider, typeName string, schema *configschema.Block) *Terraform {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to compare with")
	}
	dir := t.TempDir()
	tf := &Terraform{dir: dir, TypeName: typeName, Block: schema, provider: p}
	tf.Write(t, "terraformrc", nil)
	tf.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"GOGC=off", // a run is short
		"TF_CLI_CONFIG_FILE=" + tf.Path("terraformrc"), "TF_LOG_CORE=WARN", "TF_LOG_PATH=" + tf.Path("log"),
		"TF_REATTACH_PROVIDERS=" + p.serve(t, typeName),
	}
	return tf
}

// Path returns the path of a file in the directory of the command.
func (tf *Terraform) Path(name string) string { return filepath.Join(tf.dir, name) }

// Write writes a file in the directory of the command.
func (tf *Terraform) Write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(tf.Path(name), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// WriteJSON writes the content as JSON to a file in the directory of the command.
func (tf *Terraform) WriteJSON(t *testing.T, name string, content any) {
	t.Helper()
	text, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	tf.Write(t, name, text)
}

// A Message is a line of the command's output with -json.
type Message struct {
	Type       string
	Diagnostic struct{ Severity, Summary, Detail, Address string }
	Change     struct {
		Resource struct{ Addr string }
		Action   string
	}
	Hook struct{ Resource struct{ Addr string } }
}

// A Report is the output of one command.
type Report struct {
	Messages   []Message
	Log        string // Core's log
	Planning   bool   // the command does not apply
	Refreshing bool   // compare the changes found by refresh, not the planned ones
}

// Applied reports whether a change of the resource was applied successfully.
func (r Report) Applied(address string) bool {
	return slices.ContainsFunc(r.Messages, func(m Message) bool {
		return m.Type == "apply_complete" && m.Hook.Resource.Addr == address
	})
}

// Run runs a command that prints JSON.
func (tf *Terraform) Run(t *testing.T, args ...string) (r Report) {
	t.Helper()
	out, failed := tf.Exec(t, append(args, "-json", "-input=false", "-no-color")...)
	for line := range bytes.Lines(out) {
		var m Message
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("terraform %v printed %s", args, line)
		}
		r.Messages = append(r.Messages, m)
	}
	log, err := os.ReadFile(tf.Path("log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	r.Log = string(log)
	r.checkFailure(t, failed)
	return r
}

// imports imports the object with the ID. The import command does not print JSON.
func (tf *Terraform) imports(t *testing.T, id string) Report {
	t.Helper()
	out, failed := tf.Exec(t, "import", "-no-color", "-input=false", tf.Address(), id)
	r := Report{Planning: true}
	for line := range strings.Lines(string(out)) {
		if _, summary, ok := strings.Cut(line, "Error: "); ok {
			var m Message
			m.Type, m.Diagnostic.Severity, m.Diagnostic.Summary = "diagnostic", "error", strings.TrimSpace(summary)
			r.Messages = append(r.Messages, m)
		}
	}
	r.checkFailure(t, failed)
	return r
}

// checkFailure fails the test if a command failed without an error message, or succeeded with one.
func (r Report) checkFailure(t *testing.T, failed bool) {
	t.Helper()
	if hasError := slices.ContainsFunc(r.Messages, Message.Failed); hasError != failed {
		t.Fatalf("the command failed: %v, but its messages are %v", failed, r.Messages)
	}
}

// Failed reports whether the message is an error.
func (m Message) Failed() bool { return m.Type == "diagnostic" && m.Diagnostic.Severity == "error" }

// Exec runs a command and returns its output, and whether it failed.
func (tf *Terraform) Exec(t *testing.T, args ...string) (out []byte, failed bool) {
	t.Helper()
	if err := os.RemoveAll(tf.Path("log")); err != nil {
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

// A savedResource is a resource in the state file.
type savedResource struct {
	Type      string
	Instances []struct {
		Status     string
		Attributes json.RawMessage
		Private    []byte
	}
}

// state returns the resources in the state file.
func (tf *Terraform) state(t *testing.T) []savedResource {
	t.Helper()
	text, err := os.ReadFile(tf.Path("terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var file struct{ Resources []savedResource }
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Resources
}

// Object returns the state of the resource, or null, and whether it is tainted.
func (tf *Terraform) Object(t *testing.T, ty cty.Type) (object cty.Value, tainted bool) {
	t.Helper()
	all := tf.state(t)
	i := slices.IndexFunc(all, func(s savedResource) bool { return s.Type == tf.TypeName })
	if i < 0 || len(all[i].Instances) == 0 {
		return cty.NullVal(ty), false
	}
	object, err := ctyjson.Unmarshal(all[i].Instances[0].Attributes, ty)
	if err != nil {
		t.Fatal(err)
	}
	return object, all[i].Instances[0].Status == "tainted"
}

// Forget removes the state file.
func (tf *Terraform) Forget(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(tf.Path("terraform.tfstate")); err != nil {
		t.Fatal(err)
	}
}
