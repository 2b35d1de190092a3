package watch

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/tfcheck"
)

func TestNamed(t *testing.T) {
	const want = "must be ADDRESS=PATH, such as hashicorp/time=./terraform-provider-time, not "
	for _, test := range []struct{ program, text, address, wrong string }{
		{program: "terraform", text: "hashicorp/time=x", address: "registry.terraform.io/hashicorp/time"},
		{program: "tofu", text: "time=x", address: "registry.opentofu.org/hashicorp/time"},
		{program: "../bin/tofu", text: "a/b=y/=/x", address: "registry.opentofu.org/a/b"},
		{program: "tofu.exe", text: "localhost:8080/acme/cloud=x", address: "localhost:8080/acme/cloud"},
		{program: "make", text: "Acme/Cloud=x", address: "registry.terraform.io/acme/cloud"},
		{text: "", wrong: want + `""`},
		{text: "=b", wrong: want + `"=b"`},
		{text: "a=", wrong: want + `"a="`},
		{text: "a/b/c/d=x", wrong: `"a/b/c/d" is not the address of a provider: The "source" attribute must be in the format "[hostname/][namespace/]name"`},
		{text: "acme/terraform-provider-x=x", wrong: `"acme/terraform-provider-x" is not the address of a provider: ` +
			`Provider source "acme/terraform-provider-x" has a type with the prefix "terraform-provider-", which isn't valid.`},
	} {
		program, _ := ProgramOf(filepath.FromSlash(test.program))
		if is := tfcheck.Program("terraform"); strings.Contains(test.program, "tofu") && program == is {
			t.Errorf("%s is %s", test.program, is)
		}
		p, err := Named(test.text, Host(program))
		if test.wrong != "" && (err == nil || !strings.HasPrefix(err.Error(), test.wrong) || strings.Contains(err.Error(), "\n")) ||
			test.wrong == "" && (err != nil || p.Address != test.address || !filepath.IsAbs(p.Path) || filepath.Base(p.Path) != "x") {
			t.Errorf("%s, %q: %v, %v", test.program, test.text, p, err)
		}
	}
}
