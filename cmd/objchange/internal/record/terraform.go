package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/objchange/objchange/cmd/objchange/internal/recording"
)

// asking are the subcommands of terraform that ask providers for what is judged,
// and whether they can be told to ask one thing at a time.
var asking = map[string]bool{
	"plan": true, "apply": true, "destroy": true, "refresh": true, "import": true, "test": false,
}

// Terraform becomes terraform, or tofu: it does not return, unless it fails. If
// that is going to ask providers for what is judged, their schemas are first
// added to those in the folder dir. Where providers are part of a test, only now
// is there someone to ask.
func Terraform(dir, program string, args []string) error {
	at := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if at >= 0 {
		if oneByOne, asks := asking[args[at]]; asks {
			// Without schemas there is still a recording, and a reason that
			// terraform itself is about to tell.
			_ = addSchemas(dir, program, args[:at])
			if oneByOne {
				args = serial(args, at)
			}
		}
	}
	return syscall.Exec(program, append([]string{program}, args...), os.Environ())
}

// serial returns the arguments so that the subcommand, which is one of them, asks
// for one thing after the other: two requests in one millisecond write to the
// same data file. Tests are run with another -parallelism, which no variable of
// the environment can change.
func serial(args []string, subcommand int) []string {
	changed := append(slices.Clone(args[:subcommand+1]), "-parallelism=1")
	rest := args[subcommand+1:]
	for i := 0; i < len(rest); i++ {
		name, _, hasValue := strings.Cut(rest[i], "=")
		switch {
		case name != "-parallelism" && name != "--parallelism":
			changed = append(changed, rest[i])
		case !hasValue:
			i++ // the value is an argument of its own
		}
	}
	return changed
}

// A schemasFile is what "terraform providers schema -json" prints.
type schemasFile struct {
	FormatVersion string                     `json:"format_version"`
	Providers     map[string]json.RawMessage `json:"provider_schemas"`
}

// addSchemas adds the schemas of the providers that the current folder's
// configuration needs. Options are those before the subcommand.
func addSchemas(dir, program string, options []string) error {
	cmd := exec.Command(program, append(slices.Clone(options), "providers", "schema", "-json")...)
	cmd.Env = append(os.Environ(), "TF_LOG=", "TF_LOG_PATH=")
	printed, err := cmd.Output()
	if err != nil {
		return err
	}
	var schemas, before schemasFile
	if err := json.Unmarshal(printed, &schemas); err != nil || len(schemas.Providers) == 0 {
		return err
	}
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

// replaceFile writes the file as a whole or not at all: tests may run side by side.
func replaceFile(name string, schemas schemasFile) error {
	text, err := json.Marshal(schemas)
	if err != nil {
		return err
	}
	whole := fmt.Sprintf("%s.%d", name, os.Getpid())
	if err := os.WriteFile(whole, text, 0o644); err != nil {
		return err
	}
	return os.Rename(whole, name)
}
