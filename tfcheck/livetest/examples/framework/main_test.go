package framework_test

import (
	"os"
	"os/exec"
	"testing"
)

// Where there is a terraform, the acceptance test runs as well.
func TestMain(m *testing.M) {
	if _, err := exec.LookPath("terraform"); err == nil {
		if err := os.Setenv("TF_ACC", "1"); err != nil {
			panic(err)
		}
	}
	m.Run()
}
