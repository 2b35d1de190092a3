package literals_test

import (
	"os"
	"os/exec"
	"testing"
)

var _, noTerraform = exec.LookPath("terraform")

// If terraform is available, the acceptance tests run, too.
func TestMain(m *testing.M) {
	if noTerraform == nil {
		if err := os.Setenv("TF_ACC", "1"); err != nil {
			panic(err)
		}
	}
	m.Run()
}

func needTerraform(t *testing.T) {
	t.Helper()
	if noTerraform != nil {
		t.Skip("there is no terraform on the PATH to test with")
	}
}
