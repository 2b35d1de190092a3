package framework_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestTfconvImportsNothingOfTheFramework checks that tfconv does not import the framework, because
// packages of the framework import tfconv.
func TestTfconvImportsNothingOfTheFramework(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/objchange/objchange/tfconv").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name := range strings.Lines(string(out)) {
		if strings.HasPrefix(name, "github.com/hashicorp/terraform-plugin-framework") {
			t.Errorf("tfconv needs %s", name)
		}
	}
}
