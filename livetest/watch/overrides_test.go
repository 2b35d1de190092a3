package watch_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
)

// TestWatchFindsDevOverrides runs the command without init, with dev_overrides in its configuration. It
// checks that watch finds the same overrides as the command.
func TestWatchFindsDevOverrides(t *testing.T) {
	for program := range registries {
		t.Run(program, func(t *testing.T) { watchOverrides(t, program) })
	}
}

// newOverridden returns a workspace with a provider in two folders.
func newOverridden(t *testing.T, program string) *workspace {
	t.Helper()
	w := newWorkspace(t, program)
	for _, folder := range []string{"built", "versioned"} {
		if err := os.Mkdir(filepath.Join(w.dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"built/terraform-provider-fw", "versioned/terraform-provider-fw_v1.0.0"} {
		live.BuildAs(t, live.TestProvider, filepath.Join(w.dir, name))
	}
	w.write(t, "main.tf", `resource "fw_honest" "it" { name = "a" }`)
	w.env = slices.DeleteFunc(w.env, func(v string) bool { return strings.HasPrefix(v, "TF_CLI_CONFIG_FILE=") })
	w.env = append(w.env, "TF_LOG_SDK=off", "BUILT=built")
	return w
}

func watchOverrides(t *testing.T, program string) {
	dev := func(text string) string { return "provider_installation {\ndev_overrides {\n" + text + "\n}\n}\n" }
	fw := func(folder string) string { return dev(`"hashicorp/fw" = "` + folder + `"`) }
	json := func(before, after string) string {
		return `{"provider_installation": ` + before + `{"dev_overrides": ` + before + `{"hashicorp/fw": "built"}` + after + `}` + after + `}`
	}
	for name, test := range map[string]struct {
		file, text string
		found      bool // by both, except that OpenTofu does not support all forms of Terraform
	}{
		"absolute":                      {".terraformrc", fw("DIR/built"), true},
		"relative folder":               {".terraformrc", fw("built"), true},
		"environment variable":          {".terraformrc", fw("${BUILT}"), true},
		"versioned executable":          {".terraformrc", fw("versioned"), true},
		"short address":                 {".terraformrc", dev(`fw = "built"`), true},
		"with the registry":             {".terraformrc", dev(`"` + registries[program] + `fw" = "built"`), true},
		"letter case":                   {".terraformrc", dev(`"HashiCorp/FW" = "built"`), true},
		"last of two":                   {".terraformrc", dev("fw = \"nowhere\"\nfw = \"built\""), true}, // with two spellings, Terraform uses either
		"two blocks":                    {".terraformrc", "provider_installation {\ndev_overrides { fw = \"nowhere\" }\ndev_overrides { fw = \"built\" }\n}\n", true},
		"JSON":                          {".terraformrc", json("[", "]"), true},
		"any .tfrc in terraform.d":      {".terraform.d/any.tfrc", fw("built"), true},
		"any .tfrc.json in terraform.d": {".terraform.d/any.tfrc.json", json("[", "]"), true},
		"executable, not its folder":    {".terraformrc", fw("built/terraform-provider-fw"), false},
		"home is not expanded":          {".terraformrc", fw("~/built"), false},
		"other namespace":               {".terraformrc", dev(`"acme/fw" = "built"`), false},
		"no .tfrc in terraform.d":       {".terraform.d/any.rc", fw("built"), false},
		"JSON argument":                 {".terraformrc", json("", ""), false},
		"argument, not a block":         {".terraformrc", "provider_installation {\ndev_overrides = { fw = \"built\" }\n}\n", false},
		"from elsewhere":                {"elsewhere", fw("built"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newOverridden(t, program)
			switch {
			case program == "tofu" && name == "two blocks":
				t.Skip("what it does with an address in both, watch leaves to it")
			case program == "tofu" && (name == "environment variable" || name == "last of two"):
				test.found = false
			}
			w.write(t, test.file, strings.ReplaceAll(test.text, "DIR", w.dir))
			w.unread = name != "absolute"
			if test.file == "elsewhere" {
				w.env = append(w.env, "TF_CLI_CONFIG_FILE=elsewhere")
			}
			if out, err := w.unwatched(t, "validate", "-no-color"); (err == nil) != test.found {
				t.Fatalf("without watch: %v\n%s", err, out)
			}
			w.write(t, "report.json", "{}")
			r, status := w.run(t, "plan")
			if test.found {
				r.clean(t, "plan", status)
			} else if status == 0 || len(r.Subjects) > 0 {
				t.Errorf("exit status %d, saw %v", status, r.Subjects)
			}
		})
	}
}
