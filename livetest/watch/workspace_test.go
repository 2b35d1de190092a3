package watch_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
)

// A workspace is a directory in which a real command runs and is watched.
type workspace struct {
	program, registry string // terraform or tofu, and the registry of its providers
	dir, objchange    string
	providers         []string // the flags for the providers
	flags             []string // further flags of watch
	env               []string
	recording         string // the directory of the latest recording
	out               []byte // the output of the latest command
	unread            bool   // the recordings are not checked, because they resemble others
}

// registries maps programs to their default registry for providers.
var registries = map[string]string{"terraform": live.Registry, "tofu": "registry.opentofu.org/hashicorp/"}

// eachProgram runs the test with Terraform and with OpenTofu.
func eachProgram(t *testing.T, test func(*testing.T, *workspace)) {
	for program := range registries {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			test(t, newWorkspace(t, program))
		})
	}
}

// newWorkspace returns a workspace for the program. The program may be "".
func newWorkspace(t *testing.T, program string) *workspace {
	t.Helper()
	live.ProgramsOnly(t)
	if _, err := exec.LookPath(program); err != nil && program != "" {
		t.Skipf("there is no %s on the PATH to watch", program)
	}
	dir, err := os.MkdirTemp("", "") // shorter than that of t, because paths of sockets are limited
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	w := &workspace{program: program, registry: registries[program], dir: dir, objchange: live.Build(t, live.Command)}
	for _, name := range []string{"tmp", "mirror"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, "terraformrc", `provider_installation { filesystem_mirror { path = "`+filepath.Join(dir, "mirror")+`" } }`)
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + filepath.Join(dir, "tmp"), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1", "GOGC=400",
		"TF_CLI_CONFIG_FILE=" + filepath.Join(dir, "terraformrc"),
	}
	if program != "terraform" {
		return w
	}
	version, err := terraformVersion()
	if err != nil {
		t.Fatal(err)
	}
	if crashesInParallel(version) {
		for _, command := range []string{"plan", "apply", "destroy", "refresh"} {
			w.env = append(w.env, "TF_CLI_ARGS_"+command+"=-parallelism=1")
		}
	}
	return w
}

// terraformVersion returns the version of terraform on the PATH.
var terraformVersion = sync.OnceValues(func() (string, error) {
	var response struct {
		Version string `json:"terraform_version"`
	}
	out, err := exec.Command("terraform", "version", "-json").Output()
	if err == nil {
		err = json.Unmarshal(out, &response)
	}
	return response.Version, err
})

// crashesInParallel reports whether this version of Terraform (1.17 and later) may crash if
// several resources have warnings at the same time.
func crashesInParallel(version string) bool {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d.", &major, &minor); err != nil {
		return false
	}
	return major > 1 || major == 1 && minor >= 17
}

func TestCrashesInParallel(t *testing.T) {
	for version, want := range map[string]bool{"1.11.4": false, "1.16.9": false, "1.17.0": true, "1.17.0-dev": true, "2.0.0": true, "": false} {
		if got := crashesInParallel(version); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}

func (w *workspace) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// configure writes the configuration of the resources.
func (w *workspace) configure(t *testing.T, resources map[string]any) {
	t.Helper()
	text, err := json.Marshal(map[string]any{"resource": resources})
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "main.tf.json", string(text))
}

// A watchedReport contains the parts of a report that tests need.
type watchedReport struct {
	Subjects []struct {
		Group, RPC, Type, Status string
		Findings                 []struct {
			Rule     objchange.Rule
			Severity objchange.Severity
		}
	}
	Notes []string
}

func (r watchedReport) rpcs(typeName string) (rpcs []string) {
	for _, s := range r.Subjects {
		if s.Type == typeName && !slices.Contains(rpcs, s.RPC) {
			rpcs = append(rpcs, s.RPC)
		}
	}
	slices.Sort(rpcs)
	return rpcs
}

// command returns a watched command, or without arguments watch itself.
func (w *workspace) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	recording, err := os.MkdirTemp(w.dir, "recording-")
	if err != nil {
		t.Fatal(err)
	}
	w.recording = recording
	if len(args) > 0 {
		args = append([]string{"--"}, args...)
	}
	args = slices.Concat([]string{"watch", "--format", "json", "-o", filepath.Join(w.dir, "report.json"), "--record", recording}, w.providers, w.flags, args)
	cmd := exec.CommandContext(t.Context(), w.objchange, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// unwatched runs the program without watch.
func (w *workspace) unwatched(t *testing.T, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), w.program, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out, err
}

// run runs the watched program, and returns the report and the exit status. No process or file
// may be left.
func (w *workspace) run(t *testing.T, args ...string) (watchedReport, int) {
	t.Helper()
	cmd := w.command(t, append([]string{w.program}, args...)...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	if w.out = out; testing.Verbose() {
		t.Logf("%v\n%s", args, out)
	}
	if _, err := os.Stat(filepath.Join(w.recording, "exchanges.jsonl")); err == nil {
		if !w.unread {
			w.checkRecording(t)
		}
	} else if cmd.ProcessState.ExitCode() != 2 { // exit status 2: nothing was checked
		t.Error(err)
	}
	return w.report(t), cmd.ProcessState.ExitCode()
}

// wait runs watch without a command. It returns the variable that watch prints, and a function
// that ends watch.
func (w *workspace) wait(t *testing.T) (variable string, end func() watchedReport) {
	t.Helper()
	cmd := w.command(t)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	variable, ok := strings.CutPrefix(strings.TrimSpace(line), "export TF_REATTACH_PROVIDERS='")
	if err != nil || !ok {
		t.Fatalf("printed %q, %v", line, err)
	}
	return strings.TrimSuffix(variable, "'"), func() watchedReport {
		t.Helper()
		err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait())
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return w.report(t)
	}
}

func (w *workspace) report(t *testing.T) (r watchedReport) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "report.json"))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(w.dir, "tmp", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	return r
}

// clean fails the test unless the run succeeded and all subjects were checked.
func (r watchedReport) clean(t *testing.T, step string, status int) {
	t.Helper()
	if status != 0 || len(r.Notes) > 0 || len(r.Subjects) == 0 {
		t.Errorf("%s: exit status %d, %d subjects, notes %q", step, status, len(r.Subjects), r.Notes)
	}
	for _, s := range r.Subjects {
		if s.Status != "checked" || len(s.Findings) > 0 {
			t.Errorf("%s: %+v", step, s)
		}
	}
}

// provideFaults watches the providers with faults, of both SDKs and more.
func (w *workspace) provideFaults(t *testing.T, more ...string) {
	t.Helper()
	for _, name := range append([]string{"fw", "sdk"}, more...) {
		provider := filepath.Join(w.dir, "terraform-provider-"+name)
		live.BuildAs(t, live.TestProvider, provider)
		w.providers = append(w.providers, "--provider", live.Registry+name+"="+provider)
	}
}

// initialise makes the program install the released time provider in its usual way.
func (w *workspace) initialise(t *testing.T) {
	t.Helper()
	installed := filepath.Join(w.dir, "mirror", w.registry, "time", "0.14.2", runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(installed, 0o700); err != nil {
		t.Fatal(err)
	}
	live.BuildAs(t, live.TimeProvider, filepath.Join(installed, "terraform-provider-time_v0.14.2_x5"))
	if out, err := w.unwatched(t, "init", "-input=false"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
