//go:build unix

// On Windows, configuration files have other names.

package watch

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/tfcheck"
)

// home returns an empty home folder, and unsets the variables that name other files.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, value := range map[string]string{"HOME": dir, "TF_CLI_CONFIG_FILE": "", "TERRAFORM_CONFIG": "", "XDG_CONFIG_HOME": ""} {
		t.Setenv(name, value)
	}
	return dir
}

// overriding returns a CLI configuration with an override of acme/cloud.
func overriding(folder string) string {
	return fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"acme/cloud\" = %q\n  }\n  direct {}\n}\n", folder)
}

// overrides returns the overrides of the program in the folder as text, with paths relative to the
// folder.
func overrides(t *testing.T, dir string, program tfcheck.Program) string {
	t.Helper()
	found, err := Overrides(dir, program)
	if err != nil {
		return strings.ReplaceAll(err.Error(), dir, "")
	}
	var lines []string
	for _, address := range slices.Sorted(maps.Keys(found)) {
		p := found[address]
		lines = append(lines, p.Address+" "+strings.TrimPrefix(p.Path, dir))
	}
	return strings.Join(lines, "\n")
}

// TestOverridesAreReadAsByTerraform checks that the files are read as by Terraform 1.11.4 and OpenTofu. Where
// Terraform reports a problem and goes on, Overrides returns an error. OpenTofu does not expand
// variables.
func TestOverridesAreReadAsByTerraform(t *testing.T) {
	dir := home(t)
	write(t, "", dir, "built", "terraform-provider-cloud")
	write(t, "", dir, "built", "terraform-provider-time_v1.0.0")
	write(t, "", dir, "${BUILT}", "terraform-provider-cloud")
	t.Setenv("BUILT", "built")
	rc := filepath.Join(dir, "rc")
	t.Setenv("TF_CLI_CONFIG_FILE", rc)
	in := func(lines ...string) string {
		return "provider_installation {\ndev_overrides {\n" + strings.Join(lines, "\n") + "\n}\n}"
	}
	const cloud, time = "HOST/acme/cloud /built/terraform-provider-cloud", "HOST/hashicorp/time /built/terraform-provider-time_v1.0.0"
	const noAddress = `dev_overrides: "a/b/c/d": The "source" attribute must be in the format "[hostname/][namespace/]name"`
	for name, test := range map[string]struct{ text, terraform, tofu string }{ // if tofu is "", it is the same as terraform
		"absolute":      {overriding(filepath.Join(dir, "built")), cloud, ""},
		"several":       {in(`"acme/cloud" = "built"`, `time = "built"`), cloud + "\n" + time, ""},
		"whole address": {in(`"example.com/acme/cloud" = "built"`), "example.com/acme/cloud /built/terraform-provider-cloud", ""},
		"letter case":   {in(`"Acme/Cloud" = "built"`), cloud, ""},
		"variable":      {overriding("${BUILT}"), cloud, "HOST/acme/cloud /${BUILT}/terraform-provider-cloud"},
		"last":          {in(`"acme/cloud" = "nowhere"`, `"acme/cloud" = "built"`), cloud, ""},
		"two blocks":    {"provider_installation {\ndev_overrides { \"acme/cloud\" = \"built\" }\ndev_overrides { time = \"built\" }\n}", cloud + "\n" + time, ""},
		"first":         {overriding("built") + overriding("nowhere"), cloud, ""},
		"nowhere":       {overriding("nowhere"), "HOST/acme/cloud ", ""},
		"JSON":          {`{"provider_installation": [{"dev_overrides": [{"acme/cloud": "built"}]}]}`, cloud, ""},
		"argument":      {"provider_installation {\n  dev_overrides = { \"acme/cloud\" = \"built\" }\n}", "", ""},

		"syntax":       {in(`"acme/cloud" = `), "/rc: At 5:3: object expected closing RBRACE got: EOF", ""},
		"no address":   {in("", `"a/b/c/d" = "x"`), "/rc: " + noAddress, ""},
		"no folder":    {in(`"acme/cloud" { x = 1 }`), `/rc: dev_overrides: At 3:14: root.acme/cloud: unknown type for string *ast.ObjectType`, ""},
		"JSON address": {`{"provider_installation": [{"dev_overrides": [{"a/b/c/d": "x"}]}]}`, "/rc: " + noAddress, ""},
		"no variable":  {overriding("$NOT_THERE"), `/rc: dev_overrides: "acme/cloud": the environment has no variable NOT_THERE`, "HOST/acme/cloud "},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, test.text, rc)
			for program, want := range map[tfcheck.Program]string{tfcheck.Terraform: test.terraform, tfcheck.OpenTofu: cmp.Or(test.tofu, test.terraform)} {
				if got := overrides(t, dir, program); got != strings.ReplaceAll(want, "HOST", Host(program)) {
					t.Errorf("%s: got  %s\nwant %s", program, got, want)
				}
			}
		})
	}
}

// TestOverrideIsTheFirstFileWithTheName checks that the executable is the first file with the provider's name,
// with or without a version. If that file is not executable, no other file is used.
func TestOverrideIsTheFirstFileWithTheName(t *testing.T) {
	dir := t.TempDir()
	for _, step := range []struct {
		add  string
		mode os.FileMode
		want string
	}{
		{"LICENSE", 0o700, ""},
		{"terraform-provider-clouds", 0o700, ""},
		{"terraform-provider-cloud-dev", 0o700, ""},
		{"Terraform-Provider-Cloud", 0o700, ""},
		{"terraform-provider-cloud_v10", 0o700, "terraform-provider-cloud_v10"},
		{"terraform-provider-cloud.exe", 0o700, "terraform-provider-cloud.exe"},
		{"terraform-provider-cloud", 0o600, ""},
	} {
		if err := os.WriteFile(filepath.Join(dir, step.add), nil, step.mode); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(executableIn(dir, "acme/cloud"), dir+string(filepath.Separator)); got != step.want {
			t.Errorf("with %s: found %q, want %q", step.add, got, step.want)
		}
	}
}

// TestConfigurationFilesHaveAnOrder checks the order of the files of the CLI configuration. A variable names the
// only file. Otherwise there are the user's file and the files in the user's folder. OpenTofu's own
// file comes before Terraform's. It is in the home folder, or in the folder of XDG_CONFIG_HOME,
// which Terraform does not read.
func TestConfigurationFilesHaveAnOrder(t *testing.T) {
	dir := home(t)
	const xdg = "config/opentofu/tofurc"
	for step, test := range []struct{ file, variable, value, terraform, tofu string }{
		{},
		{file: xdg},
		{variable: "XDG_CONFIG_HOME", value: "config", tofu: xdg},
		{file: ".terraform.d/b.tfrc", terraform: ".terraform.d/b.tfrc", tofu: xdg},
		{file: ".terraform.d/a.tfrc.json", terraform: ".terraform.d/a.tfrc.json", tofu: xdg},
		{file: ".terraformrc", terraform: ".terraformrc", tofu: xdg},
		{variable: "XDG_CONFIG_HOME", value: "nowhere", terraform: ".terraformrc", tofu: ".terraformrc"},
		{file: ".tofurc", terraform: ".terraformrc", tofu: ".tofurc"},
		{variable: "TERRAFORM_CONFIG", value: "named"}, // the file does not exist, which the program reports
		{file: "named", terraform: "named", tofu: "named"},
		{variable: "TF_CLI_CONFIG_FILE", value: xdg, terraform: xdg, tofu: xdg},
	} {
		if test.file != "" { // each file overrides to a folder with its name
			folder := "of-" + filepath.Base(test.file)
			write(t, overriding(folder), dir, test.file)
			write(t, "", dir, folder, "terraform-provider-cloud")
		}
		if test.variable != "" {
			t.Setenv(test.variable, filepath.Join(dir, test.value))
		}
		for program, from := range map[tfcheck.Program]string{tfcheck.Terraform: test.terraform, tfcheck.OpenTofu: test.tofu} {
			want := ""
			if from != "" {
				want = Host(program) + "/acme/cloud /of-" + filepath.Base(from) + "/terraform-provider-cloud"
			}
			if got := overrides(t, dir, program); got != want {
				t.Errorf("step %d, %s: got %q, want %q", step, program, got, want)
			}
		}
	}
	t.Setenv("TF_CLI_CONFIG_FILE", dir)
	if got := overrides(t, dir, ""); !strings.HasPrefix(got, "read ") {
		t.Errorf("a folder was read: %s", got)
	}
}
