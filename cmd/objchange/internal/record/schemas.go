package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/objchange/objchange/cmd/objchange/internal/recording"
)

// A schemasFile is what "terraform providers schema -json" prints.
type schemasFile struct {
	FormatVersion string                     `json:"format_version"`
	Providers     map[string]json.RawMessage `json:"provider_schemas"`
}

// addSchemas adds the schemas of the providers that the current folder's
// configuration needs. Options are those before the subcommand. They are asked for
// each time, also those that are there: a test may go from one release of a
// provider to another, and no file tells all the providers that are needed, such
// as those that a test itself serves.
func addSchemas(dir, program string, options []string) error {
	schemas, err := askSchemas(program, options)
	if err != nil {
		return err
	}
	var before schemasFile
	name := filepath.Join(dir, recording.SchemasName)
	if text, err := os.ReadFile(name); err == nil {
		if err := json.Unmarshal(text, &before); err != nil {
			return err
		}
	}
	all := map[string]json.RawMessage{}
	maps.Copy(all, before.Providers)
	maps.Copy(all, schemas.Providers)
	schemas.Providers = all
	return replaceFile(name, schemas)
}

// askSchemas has the program tell the schemas. What the environment adds to the
// arguments of each subcommand, this one does not know.
func askSchemas(program string, options []string) (schemas schemasFile, err error) {
	cmd := exec.Command(program, append(slices.Clone(options), "providers", "schema", "-json")...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name == "TF_CLI_ARGS" || strings.HasPrefix(name, "TF_CLI_ARGS_providers")
	})
	cmd.Env = append(cmd.Env, "TF_LOG=", "TF_LOG_PATH=")
	printed, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return schemas, fmt.Errorf("%w: %s", err, strings.TrimSpace(ansi.Strip(string(exit.Stderr))))
	}
	if err != nil {
		return schemas, err
	}
	if err := json.Unmarshal(printed, &schemas); err != nil {
		return schemas, err
	}
	if len(schemas.Providers) == 0 {
		return schemas, errors.New("there are no providers in the configuration")
	}
	return schemas, nil
}

// replaceFile writes the file as a whole or not at all: tests may run side by side.
func replaceFile(name string, schemas schemasFile) error {
	text, err := json.Marshal(schemas)
	if err != nil {
		return err
	}
	whole := fmt.Sprintf("%s.%d", name, os.Getpid())
	if err := os.WriteFile(whole, text, 0o600); err != nil {
		return err
	}
	return os.Rename(whole, name)
}

// noSchemas is the note on why there are no schemas, as far as one knows.
const noSchemas = "no-schemas"

// noteNoSchemas keeps the reason for who started the stand-in. There the run may
// have others to ask, and what is recorded is worth more than a stop.
func noteNoSchemas(notes string, reason error) {
	_ = os.WriteFile(filepath.Join(notes, noSchemas), []byte(reason.Error()), 0o600)
}

func whyNoSchemas(notes string) string {
	reason, err := os.ReadFile(filepath.Join(notes, noSchemas))
	if err != nil {
		return "they are asked of the terraform or tofu on the PATH, or in " + accPath + ", which did not run"
	}
	return "providers schema -json: " + string(reason)
}
