package watch

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// home is an empty folder of the user, whom no variable leads elsewhere.
func home(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("files are named otherwise")
	}
	dir := t.TempDir()
	for name, value := range map[string]string{"HOME": dir, "TF_CLI_CONFIG_FILE": "", "TERRAFORM_CONFIG": "", "XDG_CONFIG_HOME": ""} {
		t.Setenv(name, value)
	}
	return dir
}

// overriding is a CLI configuration with an override of acme/cloud.
func overriding(folder string) string {
	return fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"acme/cloud\" = %q\n  }\n  direct {}\n}\n", folder)
}

// overrides writes those of the program, in the folder, without where that is.
func overrides(t *testing.T, dir, program string) string {
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

// These are as terraform 1.11.4 takes them, but for what it only complains of and
// goes on: that is an error here.
func TestOverridesRead(t *testing.T) {
	dir := home(t)
	write(t, "", dir, "built", "terraform-provider-cloud")
	write(t, "", dir, "built", "terraform-provider-time_v1.0.0")
	t.Setenv("BUILT", "built")
	rc := filepath.Join(dir, "rc")
	t.Setenv("TF_CLI_CONFIG_FILE", rc)
	in := func(text string) string {
		return "provider_installation {\ndev_overrides {\n" + text + "\n}\n}"
	}
	const cloud = "registry.terraform.io/acme/cloud /built/terraform-provider-cloud"
	for name, test := range map[string]struct{ text, want string }{
		"absolute":      {overriding(filepath.Join(dir, "built")), cloud},
		"relative":      {overriding("built"), cloud},
		"other things":  {"plugin_cache_dir = \"x\"\ncredentials \"app\" { token = \"y\" }\n" + overriding("built"), cloud},
		"several":       {in(`"acme/cloud" = "built"` + "\n" + `time = "built"`), cloud + "\nregistry.terraform.io/hashicorp/time /built/terraform-provider-time_v1.0.0"},
		"whole address": {in(`"example.com/acme/cloud" = "built"`), "example.com/acme/cloud /built/terraform-provider-cloud"},
		"letter case":   {in(`"Acme/Cloud" = "built"`), cloud},
		"variable":      {overriding("${BUILT}"), cloud},
		"last":          {in(`"acme/cloud" = "nowhere"` + "\n" + `"acme/cloud" = "built"`), cloud},
		"two blocks":    {"provider_installation {\ndev_overrides { \"acme/cloud\" = \"built\" }\ndev_overrides { time = \"built\" }\n}", cloud + "\nregistry.terraform.io/hashicorp/time /built/terraform-provider-time_v1.0.0"},
		"first":         {overriding("built") + overriding("nowhere"), cloud},
		"nowhere":       {overriding("nowhere"), "registry.terraform.io/acme/cloud "},
		"file":          {overriding("built/terraform-provider-cloud"), "registry.terraform.io/acme/cloud "},
		"JSON":          {`{"provider_installation": [{"dev_overrides": [{"acme/cloud": "built"}]}]}`, cloud},
		"none":          {"provider_installation {\n  direct {}\n}", ""},
		"nothing":       {"", ""},
		"argument":      {"provider_installation {\n  dev_overrides = { \"acme/cloud\" = \"built\" }\n}", ""},
		"JSON argument": {`{"provider_installation": {"dev_overrides": {"acme/cloud": "built"}}}`, ""},

		"syntax":       {in(`"acme/cloud" = `), "/rc:5: object expected closing RBRACE got: EOF"},
		"no address":   {in("\n" + `"a/b/c/d" = "x"`), `/rc:4: dev_overrides: "a/b/c/d" is no address of a provider: The "source" attribute must be in the format "[hostname/][namespace/]name"`},
		"no folder":    {in(`"acme/cloud" { x = 1 }`), `/rc:3: dev_overrides: the folder of "acme/cloud" is no text`},
		"no variable":  {overriding("$NOT_THERE"), `/rc:3: dev_overrides: the folder of "acme/cloud": the environment has no variable NOT_THERE`},
		"JSON address": {`{"provider_installation": [{"dev_overrides": [{"a/b/c/d": "x"}]}]}`, `/rc: dev_overrides: "a/b/c/d" is no address of a provider: The "source" attribute must be in the format "[hostname/][namespace/]name"`},
		"JSON syntax":  {"{\n\"provider_installation\": [", "/rc: unexpected token while parsing list: EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, test.text, rc)
			if got := overrides(t, dir, "terraform"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// OpenTofu reads the same file, but expands no variables. It refuses an address that is
// named twice, and reports that itself.
func TestOverridesReadByTofu(t *testing.T) {
	dir := home(t)
	write(t, "", dir, "built", "terraform-provider-cloud")
	write(t, "", dir, "${BUILT}", "terraform-provider-cloud")
	t.Setenv("BUILT", "built")
	rc := filepath.Join(dir, "rc")
	t.Setenv("TF_CLI_CONFIG_FILE", rc)
	in := func(text string) string {
		return "provider_installation {\ndev_overrides {\n" + text + "\n}\n}"
	}
	const cloud = "registry.opentofu.org/acme/cloud "
	const twice = "/rc: dev_overrides name registry.opentofu.org/acme/cloud twice, which tofu refuses"
	for name, test := range map[string]struct{ text, want string }{
		"relative":      {overriding("built"), cloud + "/built/terraform-provider-cloud"},
		"variable":      {overriding("${BUILT}"), cloud + "/${BUILT}/terraform-provider-cloud"},
		"no variable":   {overriding("$NOT_THERE"), cloud},
		"twice":         {in(`"acme/cloud" = "nowhere"` + "\n" + `"acme/cloud" = "built"`), twice},
		"both the same": {in(`"acme/cloud" = "built"` + "\n" + `"acme/cloud" = "built"`), twice},
		"spellings":     {in(`"acme/cloud" = "built"` + "\n" + `"registry.opentofu.org/Acme/Cloud" = "nowhere"`), twice},
		"two blocks":    {"provider_installation {\ndev_overrides { \"acme/cloud\" = \"built\" }\ndev_overrides { \"acme/cloud\" = \"nowhere\" }\n}", twice},
		"two registries": {in(`"acme/cloud" = "built"` + "\n" + `"registry.terraform.io/acme/cloud" = "built"`),
			cloud + "/built/terraform-provider-cloud\nregistry.terraform.io/acme/cloud /built/terraform-provider-cloud"},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, test.text, rc)
			if got := overrides(t, dir, "/usr/bin/tofu"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			_, err := Overrides(dir, "tofu")
			if refused := errors.As(err, new(*RefusedError)); refused != (test.want == twice) {
				t.Errorf("refused: %v, %v", refused, err)
			}
		})
	}
}

// The configuration of OpenTofu may be in the folder of XDG_CONFIG_HOME, where there is
// none in the home folder. Terraform does not look there.
func TestOverridesFilesOfTofu(t *testing.T) {
	dir := home(t)
	for _, name := range []string{"home", "xdg", "terraform"} {
		write(t, "", dir, name, "terraform-provider-cloud")
	}
	check := func(program, want string) {
		t.Helper()
		if want != "" {
			want = Host(program) + "/acme/cloud /" + want + "/terraform-provider-cloud"
		}
		if got := overrides(t, dir, program); got != want {
			t.Errorf("%s: got %q, want %q", program, got, want)
		}
	}
	write(t, overriding("xdg"), dir, "config", "opentofu", "tofurc")
	write(t, overriding("xdg"), dir, ".config", "opentofu", "tofurc")
	check("tofu", "") // only where the variable leads
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	check("tofu", "xdg")
	check("terraform", "")
	write(t, overriding("terraform"), dir, ".terraformrc")
	check("tofu", "xdg")
	check("terraform", "terraform")
	write(t, overriding("home"), dir, ".tofurc")
	check("tofu", "home")
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "nowhere"))
	check("tofu", "home")
	if err := os.Remove(filepath.Join(dir, ".tofurc")); err != nil {
		t.Fatal(err)
	}
	check("tofu", "terraform")
	t.Setenv("TF_CLI_CONFIG_FILE", filepath.Join(dir, "config", "opentofu", "tofurc"))
	check("terraform", "xdg")
}

// Hints name the program that is run.
func TestHintsNameTheProgram(t *testing.T) {
	for program, want := range map[string]string{"": "terraform", "terraform": "terraform", "make": "terraform", "tofu": "tofu", "/opt/tofu.exe": "tofu"} {
		p := Provider{Address: "example.com/acme/cloud", Path: filepath.Join(t.TempDir(), "x"), Checksums: []string{"h1:x"}, Installer: ProgramOf(program)}
		if err := p.verify(); err == nil || !strings.HasSuffix(err.Error(), `; "`+want+` init" may mend that`) {
			t.Errorf("%s: %v", program, err)
		}
	}
}

// The executable is the first file that has the provider's name, with or without a
// version.
func TestOverridesExecutable(t *testing.T) {
	dir := home(t)
	t.Setenv("TF_CLI_CONFIG_FILE", filepath.Join(dir, "rc"))
	write(t, overriding("built"), dir, "rc")
	built := filepath.Join(dir, "built")
	check := func(want string) {
		t.Helper()
		if found, err := Overrides(dir, ""); err != nil || len(found) != 1 || filepath.Base(found["registry.terraform.io/acme/cloud"].Path) != filepath.Base(want) {
			t.Errorf("found %v, %v, want %s", found, err, want)
		}
	}
	for _, step := range []struct{ add, want string }{
		{"LICENSE", ""},
		{"terraform-provider-clouds", ""},
		{"terraform-provider-cloud-dev", ""},
		{"Terraform-Provider-Cloud", ""},
		{"terraform-provider-cloud_v9", "terraform-provider-cloud_v9"},
		{"terraform-provider-cloud_v10", "terraform-provider-cloud_v10"},
		{"terraform-provider-cloud.exe", "terraform-provider-cloud.exe"},
	} {
		write(t, "", built, step.add)
		check(step.want)
	}
	plain := filepath.Join(built, "terraform-provider-cloud")
	if err := os.Mkdir(plain, 0o700); err != nil {
		t.Fatal(err)
	}
	check("terraform-provider-cloud.exe")
	if err := errors.Join(os.Remove(plain), os.WriteFile(plain, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	check("") // it cannot be executed, and another is not looked for
}

// The CLI configuration is the file that a variable names, or else that of the user and
// those of his folder; OpenTofu's own comes before that of Terraform.
func TestOverridesFiles(t *testing.T) {
	dir := home(t)
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		write(t, "", dir, name, "terraform-provider-cloud")
	}
	check := func(program, want string) {
		t.Helper()
		host := Host(program)
		if want != "" {
			want = host + "/acme/cloud /" + want + "/terraform-provider-cloud"
		}
		if diff := cmp.Diff(want, overrides(t, dir, program)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", program, diff)
		}
	}
	check("terraform", "")
	write(t, overriding("three"), dir, ".terraform.d", "b.tfrc")
	check("terraform", "three")
	write(t, `{"provider_installation": [{"dev_overrides": [{"acme/cloud": "two"}]}]}`, dir, ".terraform.d", "a.tfrc.json")
	check("terraform", "two")
	check("tofu", "two")
	write(t, overriding("one"), dir, ".terraformrc")
	check("terraform", "one")
	check("tofu", "one")
	write(t, overriding("four"), dir, ".tofurc")
	check("terraform", "one")
	check("tofu", "four")
	t.Setenv("TERRAFORM_CONFIG", filepath.Join(dir, "named"))
	check("tofu", "") // it is not there, as the program says
	write(t, overriding("five"), dir, "named")
	check("tofu", "five")
	t.Setenv("TF_CLI_CONFIG_FILE", filepath.Join(dir, ".terraformrc"))
	check("tofu", "one")
	t.Setenv("TF_CLI_CONFIG_FILE", dir)
	if got := overrides(t, dir, ""); !strings.HasPrefix(got, "read ") {
		t.Errorf("a folder is read: %s", got)
	}
}
