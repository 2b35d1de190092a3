package watch

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/tfcheck"
)

func TestNamed(t *testing.T) {
	for _, test := range []struct {
		program    tfcheck.Program
		text, want string
	}{
		{"terraform", "hashicorp/time=x", "registry.terraform.io/hashicorp/time"},
		{"tofu", "hashicorp/time=x", "registry.opentofu.org/hashicorp/time"},
		{"tofu", "time=x", "registry.opentofu.org/hashicorp/time"},
		{"", "Acme/Cloud=x", "registry.terraform.io/acme/cloud"},
		{"tofu", "example.com/acme/cloud=x", "example.com/acme/cloud"},
		{"tofu", "localhost:8080/acme/cloud=x", "localhost:8080/acme/cloud"},
	} {
		p, err := Named(test.text, Host(test.program))
		if err != nil || p.Address != test.want || !filepath.IsAbs(p.Path) || filepath.Base(p.Path) != "x" {
			t.Errorf("%s, %s: %v, %v", test.program, test.text, p, err)
		}
	}
	if p, err := Named("a/b=x/=y", Host("")); err != nil || filepath.Base(p.Path) != "=y" {
		t.Errorf("%v, %v", p, err)
	}
	const want = "want ADDRESS=PATH, as hashicorp/time=./terraform-provider-time, and not "
	for wrong, message := range map[string]string{
		"": want + `""`, "a": want + `"a"`, "=b": want + `"=b"`, "a=": want + `"a="`,
		"a/b/c/d=x":                  `"a/b/c/d" is no address of a provider: The "source" attribute must be in the format "[hostname/][namespace/]name"`,
		"acme/terraform-provider-x=": want + `"acme/terraform-provider-x="`,
		"acme/terraform-provider-x=x": `"acme/terraform-provider-x" is no address of a provider: ` +
			`Provider source "acme/terraform-provider-x" has a type with the prefix "terraform-provider-", which isn't valid.`,
	} {
		if _, err := Named(wrong, Host("")); err == nil || !strings.HasPrefix(err.Error(), message) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// A program is known by its file name, wherever it is.
func TestProgramOf(t *testing.T) {
	for program, want := range map[string]tfcheck.Program{
		"tofu": tfcheck.OpenTofu, "tofu.exe": tfcheck.OpenTofu, filepath.Join("..", "bin", "tofu"): tfcheck.OpenTofu,
		"terraform": tfcheck.Terraform, "": tfcheck.Terraform, "make": tfcheck.Terraform, "tofuish": tfcheck.Terraform,
	} {
		if got, _ := ProgramOf(program); got != want {
			t.Errorf("%s: got %s, want %s", program, got, want)
		}
	}
}
