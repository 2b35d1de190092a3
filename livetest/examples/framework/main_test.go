package framework_test

import (
	"os"
	"os/exec"
	"testing"
)

// If terraform is available, the acceptance test runs, too.
func TestMain(m *testing.M) {
	if _, err := exec.LookPath("terraform"); err == nil {
		if err := os.Setenv("TF_ACC", "1"); err != nil {
			panic(err)
		}
	}
	m.Run()
}
