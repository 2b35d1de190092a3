package record

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// accPath names the terraform that acceptance tests run, if that is not to be the
// one on the PATH.
const accPath = "TF_ACC_TERRAFORM_PATH"

// StandIn is the name of the subcommand that runs in place of terraform. Its
// arguments are the folder of the recording, the real program, and what that was
// called with.
const StandIn = "stand-in"

// writeStandIns writes, for each program that there is to run providers, a script
// that does so in its place, and returns the names of the scripts.
func writeStandIns(scripts, dir string) (map[string]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	standIns := map[string]string{}
	for name, wanted := range map[string]string{"terraform": "terraform", "tofu": "tofu", accPath: os.Getenv(accPath)} {
		program, err := exec.LookPath(wanted)
		if err != nil {
			continue // what wants it will say so
		}
		if program, err = filepath.Abs(program); err != nil {
			return nil, err
		}
		script := filepath.Join(scripts, name)
		text := fmt.Sprintf("#!/bin/sh\nexec %s %s %s %s \"$@\"\n", quoted(self), StandIn, quoted(dir), quoted(program))
		if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
			return nil, err
		}
		standIns[name] = script
	}
	return standIns, nil
}

// quoted returns the text as one word for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
