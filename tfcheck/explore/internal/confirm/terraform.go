package confirm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/objchange/objchange/internal/process"
	"github.com/objchange/objchange/internal/summaries"
	"github.com/objchange/objchange/tfcheck/explore/internal/repro"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A Program is a Terraform or OpenTofu program that runs a provider.
type Program struct {
	path, provider string // paths of executables
	env            []string
	limit          time.Duration // of each command

	name, version  string
	minor          int    // minor version of version 1
	MissingBarrier string // the barrier without which nothing is applied, if it is missing, or ""
}

var versionLine = regexp.MustCompile(`^(Terraform|OpenTofu) v(1\.(\d+)\.\S+)`)

// New determines the name and version of the program, and the barriers that isolate it. The
// arguments are two executables, the environment of the provider, and the limit for each command.
func New(ctx context.Context, program, provider string, env []string, limit time.Duration) (*Program, error) {
	p := &Program{path: program, provider: provider, env: env, limit: limit}
	var err error
	if p.path, err = exec.LookPath(p.path); err != nil {
		return nil, err
	}
	for _, path := range []*string{&p.path, &p.provider} { // commands run in another folder
		if *path, err = filepath.Abs(*path); err != nil {
			return nil, err
		}
	}
	var out bytes.Buffer
	cmd := exec.Command(p.path, "version")
	cmd.Stdout, cmd.Env = &out, environment
	barriers, err := p.isolated(ctx, cmd)
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", p.path, err)
	}
	line := versionLine.FindStringSubmatch(out.String())
	if line == nil {
		return nil, fmt.Errorf("%s is neither Terraform 1 nor OpenTofu 1", p.path)
	}
	p.name, p.version = line[1], line[2]
	p.minor, _ = strconv.Atoi(line[3])
	p.MissingBarrier = missingNetwork(barriers)
	return p, nil
}

// missingNetwork returns the barrier of the network if it is missing, or "". It keeps a provider
// from changing anything in a cloud.
func missingNetwork(barriers []process.Barrier) string {
	for _, b := range barriers {
		if b.Name == "network" && b.Gap != "" {
			return b.String()
		}
	}
	return ""
}

// environment contains variables for each command.
var environment = []string{
	"CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "TF_INPUT=0",
	"TF_CLI_ARGS_validate=-json", "TF_CLI_ARGS_plan=-json",
	"TF_CLI_ARGS_apply=-json -auto-approve", "TF_CLI_ARGS_destroy=-json -auto-approve",
}

func (p *Program) isolated(ctx context.Context, cmd *exec.Cmd) ([]process.Barrier, error) {
	ctx, cancel := context.WithTimeout(ctx, p.limit)
	defer cancel()
	return process.Run(ctx, cmd)
}

// A workspace is a folder in which commands run.
type workspace struct {
	program *Program
	dir     string
	address string // of the explored object
	id      string // of the last object
}

// configFile is the file for the command line's configuration.
const configFile = "terraformrc"

// workspace makes a workspace with the provider in the folder. The provider has the name from the
// scenario.
func (p *Program) workspace(dir string, n repro.Naming, s scenario.Scenario) (*workspace, error) {
	w := &workspace{program: p, dir: dir, address: addressOf(s, n)}
	overrides := filepath.Join(dir, "provider")
	config := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    %s = %s\n  }\n  direct {}\n}\n",
		repro.Quoted(n.Source(s.TypeName)), repro.Quoted(overrides))
	executable := filepath.Join(overrides, "terraform-provider-"+n.Local(s.TypeName)+filepath.Ext(p.provider))
	err := errors.Join(os.Mkdir(overrides, 0o700), w.write(configFile, config), w.write("example.txt", "example\n"))
	if err == nil && os.Symlink(p.provider, executable) != nil { // some systems do not allow symbolic links
		err = os.Link(p.provider, executable)
	}
	return w, err
}

func (w *workspace) write(name, text string) error {
	return os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600)
}

// run runs the command of the step and returns its output.
func (w *workspace) run(ctx context.Context, step repro.Step) (output commandOutput, err error) {
	if step.HCL != "" {
		if err := w.write("main.tf", step.HCL); err != nil {
			return output, err
		}
	}
	var out, trace bytes.Buffer
	cmd := exec.Command(w.program.path, step.Args...)
	cmd.Dir = w.dir
	cmd.Env = slices.Concat(w.program.env, environment, []string{"TF_CLI_CONFIG_FILE=" + configFile, "TF_VAR_id=" + w.id})
	cmd.Stdout, cmd.Stderr = &out, &trace
	_, err = w.program.isolated(ctx, cmd)
	output.read(out.Bytes(), w.address)
	w.id = cmp.Or(output.id, w.id)
	output.crashed = crashed.Match(trace.Bytes())                    // the rest is dropped, because it may contain secrets
	slices.SortStableFunc(output.errors, func(a, b diagnostic) int { // their order may differ
		return cmp.Compare(a.text(), b.text())
	})
	if errors.As(err, new(*exec.ExitError)) && len(output.errors) > 0 {
		err = nil
	}
	return output, err
}

// commandOutput is the output of a command.
type commandOutput struct {
	errors          []diagnostic
	crashed         bool   // the process of the provider ended with a panic
	action, message string // planned change of the explored object
	applied         bool   // the explored object was created or changed
	id              string // of the explored object
}

// missing lists the summaries of errors for importing an object that does not exist.
var missing = []string{summaries.ImportedNull, summaries.ImportedNone, summaries.ImportedNothing}

// objectGone reports whether an object that existed before the command no longer exists.
func (o commandOutput) objectGone(command repro.Step) bool {
	destroysNothing := command.Args[0] == "destroy" && len(o.errors) == 0 && o.action == ""
	return destroysNothing || o.action == "create" ||
		slices.ContainsFunc(o.errors, func(d diagnostic) bool { return slices.Contains(missing, d.Summary) })
}

// A diagnostic is a diagnostic of Terraform.
type diagnostic struct{ Severity, Summary, Detail, Address string }

// text returns the error as Terraform prints it.
func (d diagnostic) text() string {
	return strings.TrimSpace("Error: " + d.Summary + "\n\n" + d.Detail)
}

// read parses the JSON output: one document from validate, or one document in each line from other
// commands.
func (o *commandOutput) read(output []byte, address string) {
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var m struct {
			Message      string `json:"@message"`
			Type         string
			Diagnostic   diagnostic
			Diagnostics  []diagnostic
			Change, Hook struct {
				Resource struct{ Addr string }
				Action   string
				ID       string `json:"id_value"`
			}
		}
		if decoder.Decode(&m) != nil {
			return
		}
		for _, d := range append(m.Diagnostics, m.Diagnostic) {
			if d.Severity == "error" {
				o.errors = append(o.errors, d)
			}
		}
		if m.Hook.Resource.Addr == address {
			o.id = cmp.Or(m.Hook.ID, o.id)
			o.applied = o.applied || m.Type == "apply_complete"
		}
		if m.Type == "planned_change" && m.Change.Resource.Addr == address {
			o.action, o.message = m.Change.Action, m.Message
		}
	}
}
