package livetest_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/livetest/frameworkprovider"
	"github.com/objchange/objchange/tfcheck/livetest/sdkprovider"
)

const registry = "registry.terraform.io/hashicorp/"

// serveAsNamed makes a provider of this process if its executable has the name of
// one.
func serveAsNamed() bool {
	var err error
	switch filepath.Base(os.Args[0]) {
	case "terraform-provider-fw":
		err = tf6server.Serve(registry+"fw", func() tfprotov6.ProviderServer { return frameworkprovider.Server() })
	case "terraform-provider-sdk":
		err = tf5server.Serve(registry+"sdk", func() tfprotov5.ProviderServer { return sdkprovider.Server() })
	default:
		return false
	}
	if err != nil {
		os.Exit(1)
	}
	return true
}

// A workspace is where the real command runs and is watched.
type workspace struct {
	dir, objchange string
	providers      []string // the flags that name them
	env            []string
}

func newWorkspace(t *testing.T) *workspace {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to watch")
	}
	dir := t.TempDir()
	w := &workspace{dir: dir, objchange: filepath.Join(buildCommand(t), "objchange")}
	for _, name := range []string{"tmp", "mirror"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, "terraformrc", `provider_installation { filesystem_mirror { path = "`+filepath.Join(dir, "mirror")+`" } }`)
	w.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + filepath.Join(dir, "tmp"), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"TF_CLI_CONFIG_FILE=" + filepath.Join(dir, "terraformrc"),
	}
	return w
}

func (w *workspace) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// A watchedReport is what is read of a report.
type watchedReport struct {
	Subjects []struct {
		Group, RPC, Type, Status string
		Findings                 []struct {
			Rule              objchange.Rule
			Enforced, Excused bool
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

// command is terraform, watched.
func (w *workspace) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	args = slices.Concat([]string{"watch", "--format", "json", "-o", filepath.Join(w.dir, "report.json")}, w.providers, []string{"--", "terraform"}, args)
	cmd := exec.CommandContext(t.Context(), w.objchange, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	return cmd
}

// run runs terraform, watched, and returns what was found and the exit status.
// Nothing may be left of it.
func (w *workspace) run(t *testing.T, args ...string) (watchedReport, int) {
	t.Helper()
	cmd := w.command(t, args...)
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	if testing.Verbose() {
		t.Logf("%v\n%s", args, out)
	}
	return w.report(t), cmd.ProcessState.ExitCode()
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

// clean fails the test unless all went well, and all that there was to judge was.
func (r watchedReport) clean(t *testing.T, step string, status int) {
	t.Helper()
	if status != 0 || len(r.Notes) > 0 || len(r.Subjects) == 0 {
		t.Errorf("%s: exit status %d, %d subjects, notes %q", step, status, len(r.Subjects), r.Notes)
	}
	for _, s := range r.Subjects {
		if s.Status != "judged" || len(s.Findings) > 0 {
			t.Errorf("%s: %+v", step, s)
		}
	}
}

// TestWatchTime watches the real command with the released time provider, installed
// as it installs one, through the life of resources of two aliases, one in a module.
func TestWatchTime(t *testing.T) {
	programsOnly(t)
	w := newWorkspace(t)
	installed := filepath.Join(w.dir, "mirror", registry, "time", "0.14.2", runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(installed, 0o700); err != nil {
		t.Fatal(err)
	}
	buildTime(t, filepath.Join(installed, "terraform-provider-time_v0.14.2_x5"))
	w.write(t, "inner/main.tf", `
		terraform {
			required_providers {
				time = {
					source                = "hashicorp/time"
					configuration_aliases = [time.other]
				}
			}
		}
		variable "hours" {}
		resource "time_offset" "in" {
			provider     = time.other
			count        = 20
			base_rfc3339 = "`+base+`"
			offset_hours = var.hours + count.index
		}`)
	w.write(t, "main.tf", `
		variable "hours" { default = 1 }
		provider "time" {}
		provider "time" { alias = "other" }
		module "inner" {
			source    = "./inner"
			hours     = var.hours
			providers = { time.other = time.other }
		}
		resource "time_static" "out" {
			count   = 20
			rfc3339 = "`+base+`"
		}`)
	initialise := exec.CommandContext(t.Context(), "terraform", "init", "-input=false")
	initialise.Dir, initialise.Env = w.dir, w.env
	if out, err := initialise.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, step := range []struct {
		args []string
		rpcs []string // for each time_offset
	}{
		{[]string{"plan"}, []string{plan}},
		{[]string{"apply", "-auto-approve", "-parallelism=10"}, []string{apply, plan}},
		{[]string{"plan", "-detailed-exitcode"}, []string{plan, read, upgrade}}, // 0: nothing to do
		{[]string{"apply", "-auto-approve", "-var=hours=2"}, []string{apply, plan, read, upgrade}},
		{[]string{"destroy", "-auto-approve"}, []string{apply, plan, read, upgrade}},
	} {
		r, status := w.run(t, step.args...)
		r.clean(t, step.args[0], status)
		if diff := cmp.Diff(step.rpcs, r.rpcs("time_offset")); diff != "" {
			t.Errorf("%v (-want +seen):\n%s", step.args, diff)
		}
	}
	t.Run("interrupt", func(t *testing.T) { w.interrupt(t) })
}

// interrupt interrupts an apply that would take long, which ends as it does without
// watch: the provider is asked to stop.
func (w *workspace) interrupt(t *testing.T) {
	w.write(t, "main.tf", `resource "time_sleep" "long" { create_duration = "10m" }`)
	cmd := w.command(t, "apply", "-auto-approve", "-no-color")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said, told := "", false
	for buffer := make([]byte, 1<<10); ; {
		n, err := out.Read(buffer)
		if said += string(buffer[:n]); !told && strings.Contains(said, "Creating...") {
			told = true
			time.Sleep(200 * time.Millisecond) // until the provider is asked
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break
		}
	}
	_ = cmd.Wait() // it was interrupted
	if got := cmd.ProcessState.ExitCode(); got != 1 || !strings.Contains(said, "Interrupt received") {
		t.Errorf("exit status %d:\n%s", got, said)
	}
	if r := w.report(t); !slices.Equal(r.rpcs("time_sleep"), []string{apply, plan}) {
		t.Errorf("saw %+v", r.Subjects)
	}
}

// watchable tells whether the breach is there when the provider is a process of its
// own, made without meddling, which remembers nothing: no plan follows upon apply.
func (b breach) watchable() bool {
	next := b.rule == tfcheck.RulePerpetualDiff || b.rule == objchange.RuleReplacePath || b.typeName == "fw_alias"
	return !next && (b.made == framework || b.made == sdk)
}

// TestWatchFaults has the command plan and apply the faulty resources all at once:
// what is found is what a driver finds in process.
func TestWatchFaults(t *testing.T) {
	programsOnly(t)
	w := newWorkspace(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"fw", "sdk"} {
		provider := filepath.Join(w.dir, "terraform-provider-"+name)
		if err := os.Symlink(self, provider); err != nil {
			t.Fatal(err)
		}
		w.providers = append(w.providers, "--provider", registry+name+"="+provider)
	}
	for rpc, args := range map[string][]string{plan: {"plan"}, apply: {"apply", "-auto-approve"}} {
		resources, want := map[string]any{}, map[string][]seen{}
		for _, b := range breaches {
			steps := b.run(b.typeName)
			if b.rpc != rpc || !b.watchable() || len(steps) > 1 || steps[0].doing != applying || steps[0].late != "" {
				continue
			}
			resources[b.typeName] = map[string]any{"it": plain(steps[0].config)}
			want[b.typeName] = append(want[b.typeName], seen{rpc, b.rule, b.verdict != weak, b.verdict == excused})
		}
		text, err := json.Marshal(map[string]any{"resource": resources})
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, "main.tf.json", string(text))
		r, status := w.run(t, args...)
		if status != 1 {
			t.Errorf("%v: exit status %d", args, status)
		}
		got := map[string][]seen{}
		for _, s := range r.Subjects {
			for _, f := range s.Findings {
				one := seen{s.RPC, f.Rule, f.Enforced, f.Excused}
				if slices.Contains(want[s.Type], one) && !slices.Contains(got[s.Type], one) {
					got[s.Type] = append(got[s.Type], one)
				}
			}
		}
		if len(want) < 5 {
			t.Errorf("%v: only %d resources", args, len(want))
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(seen{})); diff != "" {
			t.Errorf("%v (-want +found):\n%s", args, diff)
		}
	}
}
