package watch_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
)

// TestWatchAReleasedProvider watches the real command with the released time provider, which it installs in
// its usual way. The configuration has resources of two aliases, one of them in a module.
func TestWatchAReleasedProvider(t *testing.T) {
	eachProgram(t, watchTime)
}

func watchTime(t *testing.T, w *workspace) {
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
			count        = 6
			base_rfc3339 = "`+live.BaseTime+`"
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
			count   = 6
			rfc3339 = "`+live.BaseTime+`"
		}`)
	w.initialise(t)
	for _, step := range []struct {
		args []string
		rpcs []string // for each time_offset
	}{
		{[]string{"plan"}, []string{live.Plan}},
		{[]string{"apply", "-auto-approve"}, []string{live.Apply, live.Plan}},
		{[]string{"plan", "-detailed-exitcode"}, []string{live.Plan, live.Read, live.Upgrade}}, // exit status 0: no changes
		{[]string{"apply", "-auto-approve", "-var=hours=2"}, []string{live.Apply, live.Plan, live.Read, live.Upgrade}},
		{[]string{"destroy", "-auto-approve"}, []string{live.Apply, live.Plan, live.Read, live.Upgrade}},
	} {
		r, status := w.run(t, step.args...)
		r.clean(t, step.args[0], status)
		if diff := cmp.Diff(step.rpcs, r.rpcs("time_offset")); diff != "" {
			t.Errorf("%v (-want +seen):\n%s", step.args, diff)
		}
	}
	long := []string{w.program, "apply", "-auto-approve", "-no-color"}
	t.Run("interrupt", func(t *testing.T) { w.interrupt(t, w.command(t, long...)) })
	t.Run("interrupt in the background", func(t *testing.T) { // where a shell makes the command ignore it
		cmd := w.command(t, long...)
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" INT; exec "$0" "$@"`}, cmd.Args...)
		w.interrupt(t, cmd)
	})
}

// interrupt interrupts a long apply. It must end in the same way as without watch: the provider
// receives a request to stop.
func (w *workspace) interrupt(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	w.write(t, "main.tf", `resource "time_sleep" "long" { create_duration = "10m" }`)
	if err := os.RemoveAll(filepath.Join(w.dir, "terraform.tfstate")); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	output, signaled := "", false
	for buffer := make([]byte, 1<<10); ; {
		n, err := out.Read(buffer)
		if output += string(buffer[:n]); !signaled && strings.Contains(output, "Creating...") {
			signaled = true
			time.Sleep(time.Second) // until the provider receives the request
			if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break
		}
	}
	_ = cmd.Wait() // it was interrupted
	if got := cmd.ProcessState.ExitCode(); got != 1 || !strings.Contains(output, "Interrupt received") {
		t.Errorf("exit status %d:\n%s", got, output)
	}
	if r := w.report(t); !slices.Equal(r.rpcs("time_sleep"), []string{live.Apply, live.Plan}) {
		t.Errorf("saw %+v", r.Subjects)
	}
}

// watchable reports whether the breach also occurs if the provider is a separate process, has
// unchanged responses and keeps no objects, so that no plan follows an apply. Infinite numbers
// cannot be unpacked, because JSON cannot represent them.
func watchable(b live.Breach) bool {
	next := b.Rule == objchange.RulePerpetualDiff || b.Rule == objchange.RuleReplacePath || b.TypeName == "fw_alias"
	return !next && !strings.HasPrefix(b.TypeName, "fw_infinite_") && b.Change == nil
}

// TestWatchFindsAllFaultsOfOneRun makes the command plan and apply all faulty resources at once. It checks that
// watch finds the same as a driver in process.
func TestWatchFindsAllFaultsOfOneRun(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "terraform")
	w.provideFaults(t)
	for rpc, args := range map[string][]string{live.Plan: {"plan"}, live.Apply: {"apply", "-auto-approve"}} {
		resources, want := map[string]any{}, map[string][]live.Summary{}
		for _, b := range live.Breaches {
			steps := b.Run(b.TypeName)
			if b.RPC != rpc || !watchable(b) || len(steps) > 1 || steps[0].StepKind != live.Applying || steps[0].Late != "" {
				continue
			}
			resources[b.TypeName] = map[string]any{"it": live.Plain(steps[0].Config)}
			want[b.TypeName] = append(want[b.TypeName], live.Saw(rpc, b.Rule, b.Severity))
		}
		w.configure(t, resources)
		r, status := w.run(t, args...)
		if status != 1 {
			t.Errorf("%v: exit status %d", args, status)
		}
		got := map[string][]live.Summary{}
		for _, s := range r.Subjects {
			for _, f := range s.Findings {
				one := live.Saw(s.RPC, f.Rule, f.Severity)
				if slices.Contains(want[s.Type], one) && !slices.Contains(got[s.Type], one) {
					got[s.Type] = append(got[s.Type], one)
				}
			}
		}
		if len(want) < 5 {
			t.Errorf("%v: only %d resources", args, len(want))
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(live.Summary{})); diff != "" {
			t.Errorf("%v (-want +found):\n%s", args, diff)
		}
	}
}

// TestWatchKnowsIdentitiesOfThisVersion checks that an unknown identity in a plan counts only if this version of
// Terraform rejects it.
func TestWatchKnowsIdentitiesOfThisVersion(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "terraform")
	w.provideFaults(t)
	named := func(name string) {
		resources := map[string]any{}
		for _, typeName := range []string{"fw_alias", "sdk_honest"} {
			resources[typeName] = map[string]any{"it": live.Plain(live.Full(typeName, "name", name))}
		}
		w.configure(t, resources)
	}
	named("a")
	w.run(t, "apply", "-auto-approve")
	named("b")
	r, status := w.run(t, "plan", "-refresh=false")
	want, wantStatus := objchange.Rejected, 1
	minor := 0
	version, err := terraformVersion()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(version, "1.%d", &minor); err != nil {
		t.Fatal(err)
	}
	if minor < 12 {
		want, wantStatus = objchange.Unchecked, 0
	}
	var found []objchange.Severity
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			found = append(found, f.Severity)
		}
	}
	if !slices.Equal(found, []objchange.Severity{want}) || status != wantStatus {
		t.Errorf("status %d, findings %v", status, found)
	}
}
