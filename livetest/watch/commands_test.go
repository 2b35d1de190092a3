package watch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/objchange/objchange/livetest/internal/live"
)

// TestWatchFollowsTestsAndImports watches commands that TestWatchAReleasedProvider does not: tests of a module, and
// imports.
func TestWatchFollowsTestsAndImports(t *testing.T) { eachProgram(t, watchCommands) }

func watchCommands(t *testing.T, w *workspace) {
	w.write(t, "main.tf", `
		variable "days" { default = 1 }
		resource "time_static" "now" {
			rfc3339  = "`+live.BaseTime+`"
			triggers = {} # as an import has it
		}
		resource "time_offset" "later" {
			base_rfc3339 = time_static.now.rfc3339
			offset_days  = var.days
			triggers     = {}
		}`)
	w.write(t, "tests/days.tftest.hcl", `
		run "creates" {
			assert {
				condition     = time_offset.later.day == 1 && time_offset.later.month == 3
				error_message = "it is not the day after"
			}
		}
		run "updates" {
			variables { days = 2 }
			assert {
				condition     = time_offset.later.day == 2
				error_message = "it is not two days after"
			}
		}
		run "plans" {
			command = plan
			variables { days = 3 }
			assert {
				condition     = time_static.now.rfc3339 == "`+live.BaseTime+`"
				error_message = "it was not configured"
			}
		}`)
	w.initialise(t)
	r, status := w.run(t, "test")
	r.clean(t, "test", status)
	if diff := cmp.Diff([]string{live.Apply, live.Plan, live.Read, live.Upgrade}, r.rpcs("time_offset")); diff != "" {
		t.Errorf("test (-want +seen):\n%s", diff)
	}

	r, status = w.run(t, "import", "time_static.now", live.BaseTime)
	r.clean(t, "import", status)
	if diff := cmp.Diff([]string{live.ImportState, live.Read}, r.rpcs("time_static")); diff != "" {
		t.Errorf("import (-want +seen):\n%s", diff)
	}
	w.write(t, "imports.tf", `
		import {
			to = time_offset.later
			id = "`+live.BaseTime+`,,,1,,,"
		}`)
	r, status = w.run(t, "apply", "-auto-approve")
	r.clean(t, "import block", status)
	if diff := cmp.Diff([]string{live.ImportState, live.Plan, live.Read}, r.rpcs("time_offset")); diff != "" {
		t.Errorf("import block (-want +seen):\n%s", diff)
	}
}

// TestWatchServesLaterCommands runs commands outside of watch, with the variable that watch prints.
func TestWatchServesLaterCommands(t *testing.T) {
	eachProgram(t, func(t *testing.T, w *workspace) {
		w.write(t, "main.tf", `resource "time_static" "now" { rfc3339 = "`+live.BaseTime+`" }`)
		w.initialise(t)
		variable, end := w.wait(t)
		elsewhere := *w
		elsewhere.env = append(slices.Clip(w.env), "TF_REATTACH_PROVIDERS="+variable)
		for _, args := range [][]string{{"apply", "-auto-approve"}, {"destroy", "-auto-approve"}} {
			if out, err := elsewhere.unwatched(t, args...); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
		}
		r := end()
		r.clean(t, "waits", 0)
		if diff := cmp.Diff([]string{live.Apply, live.Plan, live.Read, live.Upgrade}, r.rpcs("time_static")); diff != "" {
			t.Errorf("(-want +seen):\n%s", diff)
		}
	})
}

// TestWatchFindsLinkedProviders watches providers that the workspace contains only as links.
func TestWatchFindsLinkedProviders(t *testing.T) {
	eachProgram(t, func(t *testing.T, w *workspace) {
		w.write(t, "main.tf", `resource "time_static" "now" {}`)
		cache := t.TempDir()
		w.env = append(w.env, "TF_PLUGIN_CACHE_DIR="+cache)
		w.initialise(t)
		installed, err := filepath.Glob(filepath.Join(w.dir, ".terraform", "providers", w.registry, "time", "*", "*"))
		if err != nil || len(installed) != 1 {
			t.Fatal(installed, err)
		}
		if to, err := os.Readlink(installed[0]); err != nil || !strings.HasPrefix(to, cache) {
			t.Errorf("%s leads to %q, %v", installed[0], to, err)
		}
		r, status := w.run(t, "plan")
		r.clean(t, "plan", status)
	})
}

// TestWatchKeepsAliasesSeparate checks that two configurations of one provider at the same time stay separate.
func TestWatchKeepsAliasesSeparate(t *testing.T) {
	eachProgram(t, func(t *testing.T, w *workspace) {
		provider := filepath.Join(w.dir, "terraform-provider-fw")
		live.BuildAs(t, live.TestProvider, provider)
		w.providers = []string{"--provider", "hashicorp/fw=" + provider}
		w.write(t, "main.tf", `
			provider "fw" { endpoint = "north" }
			provider "fw" {
				alias    = "other"
				endpoint = "south"
			}
			resource "fw_honest" "here" {
				count = 20
				name  = "a"
			}
			resource "fw_honest" "there" {
				count    = 20
				name     = "a"
				provider = fw.other
			}`)
		r, status := w.run(t, "plan", "-json")
		r.clean(t, "plan", status)
		said := map[string]bool{} // Terraform 1.17 does not say how often
		for line := range strings.Lines(string(w.out)) {
			var told struct {
				Diagnostic struct{ Summary, Address string }
			}
			if json.Unmarshal([]byte(line), &told) == nil && told.Diagnostic.Address != "" {
				name, _, _ := strings.Cut(told.Diagnostic.Address, "[")
				said[name+" "+told.Diagnostic.Summary] = true
			}
		}
		want := map[string]bool{"fw_honest.here at north": true, "fw_honest.there at south": true}
		if diff := cmp.Diff(want, said); diff != "" {
			t.Errorf("(-want +said):\n%s", diff)
		}
		if len(r.Subjects) != 40 {
			t.Errorf("%d plans are checked", len(r.Subjects))
		}
	})
}
