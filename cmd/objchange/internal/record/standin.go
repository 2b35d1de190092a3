package record

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// What acceptance tests run: the program of that path, or else of that version,
// which they download, or else the one on the PATH.
const (
	accPath    = "TF_ACC_TERRAFORM_PATH"
	accVersion = "TF_ACC_TERRAFORM_VERSION"
)

// StandIn is the name of the subcommand that runs in place of terraform. Its
// arguments are the folder of the recording, the folder for notes, the real program,
// and what that was called with.
const StandIn = "stand-in"

// writeStandIns writes, for each program that there is to run providers, a script
// that does so in its place, and returns the names of the scripts. Tests are told
// theirs by name: they may have a PATH of their own.
func writeStandIns(scripts, dir string) (map[string]string, error) {
	named := os.Getenv(accPath)
	if version := os.Getenv(accVersion); version != "" && named == "" {
		return nil, fmt.Errorf("%s=%s has tests download a terraform, which would not be recorded: "+
			"unset it, and put that version on the PATH or name it in %s", accVersion, version, accPath)
	}
	standIns := map[string]string{}
	for name, wanted := range map[string]string{"terraform": "terraform", "tofu": "tofu", accPath: cmp.Or(named, "terraform")} {
		program, err := exec.LookPath(wanted)
		if err != nil {
			continue // what wants it will say so
		}
		if standIns[name], err = writeStandIn(filepath.Join(scripts, name), dir, program); err != nil {
			return nil, err
		}
	}
	if len(standIns) == 0 {
		return nil, errors.New("there is no terraform or tofu on the PATH, and one that is downloaded would not be recorded")
	}
	return standIns, nil
}

// writeStandIn writes the script for the program.
func writeStandIn(script, dir, program string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	command := "exec " + quoted(self) + " " + StandIn
	for _, name := range []string{dir, filepath.Dir(script), program} {
		name, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		command += " " + quoted(name)
	}
	return script, os.WriteFile(script, []byte("#!/bin/sh\n"+command+" \"$@\"\n"), 0o700)
}

// quoted returns the text as one word for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
