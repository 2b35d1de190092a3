package livetest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWatchOverrides runs the command without init, with dev_overrides in its configuration. It
// checks that watch finds the same overrides as the command.
func TestWatchOverrides(t *testing.T) { eachProgram(t, watchOverrides) }

func watchOverrides(t *testing.T, w *workspace) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"built", "versioned"} {
		if err := os.Mkdir(filepath.Join(w.dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"built/terraform-provider-fw", "versioned/terraform-provider-fw_v1.0.0"} {
		if err := os.Symlink(self, filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	w.write(t, "main.tf", `resource "fw_honest" "it" { name = "a" }`)
	w.env = slices.DeleteFunc(w.env, func(v string) bool { return strings.HasPrefix(v, "TF_CLI_CONFIG_FILE=") })
	w.env = append(w.env, "TF_LOG_SDK=off", "BUILT=built")

	dev := func(text string) string { return "provider_installation {\ndev_overrides {\n" + text + "\n}\n}\n" }
	fw := func(folder string) string { return dev(`"hashicorp/fw" = "` + folder + `"`) }
	json := func(before, after string) string {
		return `{"provider_installation": ` + before + `{"dev_overrides": ` + before + `{"hashicorp/fw": "built"}` + after + `}` + after + `}`
	}
	for name, test := range map[string]struct {
		file, text string
		found      bool // by both, except that OpenTofu does not support all forms of Terraform
	}{
		"absolute":       {".terraformrc", fw(filepath.Join(w.dir, "built")), true},
		"relative":       {".terraformrc", fw("built"), true},
		"variable":       {".terraformrc", fw("${BUILT}"), true},
		"versioned":      {".terraformrc", fw("versioned"), true},
		"short":          {".terraformrc", dev(`fw = "built"`), true},
		"whole":          {".terraformrc", dev(`"` + w.registry + `fw" = "built"`), true},
		"letter case":    {".terraformrc", dev(`"HashiCorp/FW" = "built"`), true},
		"last":           {".terraformrc", dev("fw = \"nowhere\"\nfw = \"built\""), true}, // with two spellings, Terraform uses either
		"two blocks":     {".terraformrc", "provider_installation {\ndev_overrides { fw = \"nowhere\" }\ndev_overrides { fw = \"built\" }\n}\n", true},
		"JSON":           {".terraformrc", json("[", "]"), true},
		"of the folder":  {".terraform.d/any.tfrc", fw("built"), true},
		"JSON of it":     {".terraform.d/any.tfrc.json", json("[", "]"), true},
		"file":           {".terraformrc", fw("built/terraform-provider-fw"), false},
		"home":           {".terraformrc", fw("~/built"), false},
		"other":          {".terraformrc", dev(`"acme/fw" = "built"`), false},
		"other name":     {".terraform.d/any.rc", fw("built"), false},
		"JSON argument":  {".terraformrc", json("", ""), false},
		"argument":       {".terraformrc", "provider_installation {\ndev_overrides = { fw = \"built\" }\n}\n", false},
		"from elsewhere": {"elsewhere", fw("built"), true},
	} {
		t.Run(name, func(t *testing.T) {
			switch {
			case w.program == "tofu" && name == "two blocks":
				t.Skip("what it does with an address in both, watch leaves to it")
			case w.program == "tofu" && (name == "variable" || name == "last"):
				test.found = false
			}
			w.write(t, test.file, test.text)
			defer os.Remove(filepath.Join(w.dir, test.file))
			one := *w
			one.unread = name != "absolute"
			if test.file == "elsewhere" {
				one.env = append(slices.Clip(w.env), "TF_CLI_CONFIG_FILE=elsewhere")
			}
			if out, err := one.unwatched(t, "plan", "-no-color"); (err == nil) != test.found {
				t.Fatalf("without watch: %v\n%s", err, out)
			}
			w.write(t, "report.json", "{}")
			r, status := one.run(t, "plan")
			if test.found {
				r.clean(t, "plan", status)
			} else if status == 0 || len(r.Subjects) > 0 {
				t.Errorf("exit status %d, saw %v", status, r.Subjects)
			}
		})
	}
}
