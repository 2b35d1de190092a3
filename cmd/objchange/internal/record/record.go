// Package record runs a command so that the providers in it record what package
// recording reads: a log, data files, and the schemas that they are read by.
package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/recording"
)

// elsewhere are the variables that keep lines out of the log, or write them
// somewhere else.
var elsewhere = []string{
	"TF_ACC_LOG", "TF_ACC_LOG_PATH", "TF_LOG_PATH_MASK",
	"TF_LOG_CORE", "TF_LOG_PROVIDER", "TF_LOG_SDK", "TF_LOG_SDK_PROTO",
}

// Command runs a command and makes a recording of the folder dir. Its error is
// the *exec.ExitError if the command failed: the recording is as good then.
func Command(dir string, args []string, in io.Reader, out, errOut io.Writer) error {
	dir, err := prepare(dir)
	if err != nil {
		return err
	}
	scripts, err := os.MkdirTemp("", "objchange-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scripts)
	standIns, err := writeStandIns(scripts, dir)
	if err != nil {
		return err
	}
	program := args[0]
	if script, ok := standIns[program]; ok {
		program = script
	}
	cmd := exec.Command(program, args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errOut
	cmd.Env = environment(dir, scripts, standIns)
	failed := run(cmd)
	if failed != nil && !errors.As(failed, new(*exec.ExitError)) {
		return failed // it did not even run
	}
	if err := complete(dir); err != nil {
		return err
	}
	return failed
}

// run runs the command, which is the one to say what an interrupt means.
func run(cmd *exec.Cmd) error {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	return cmd.Run()
}

// prepare makes the folder and returns its absolute name. Nothing may be recorded
// in it yet, or what was run once would be told with what is run now.
func prepare(dir string) (string, error) {
	data := filepath.Join(dir, recording.DataName)
	if !empty(data) {
		return "", fmt.Errorf("%s: has a recording already", dir)
	}
	if err := os.MkdirAll(data, 0o755); err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// environment returns that of this process, with what makes providers record into
// dir, and with the stand-ins where programs are looked for.
func environment(dir, scripts string, standIns map[string]string) []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(elsewhere, name)
	})
	env = append(env,
		"TF_LOG=JSON",
		"TF_LOG_PATH="+filepath.Join(dir, recording.LogName),
		"TF_LOG_SDK_PROTO_DATA_DIR="+filepath.Join(dir, recording.DataName),
		"PATH="+scripts+string(os.PathListSeparator)+os.Getenv("PATH"),
	)
	if script, ok := standIns[accPath]; ok {
		env = append(env, accPath+"="+script)
	}
	return env
}

// complete fails if what is in the folder cannot be replayed.
func complete(dir string) error {
	if empty(filepath.Join(dir, recording.DataName)) {
		return fmt.Errorf("%s: nothing is recorded: no provider was asked for anything", dir)
	}
	if log, err := os.Stat(filepath.Join(dir, recording.LogName)); err != nil || log.Size() == 0 {
		return fmt.Errorf("%s: data is recorded, but no log: is TF_LOG or TF_LOG_SDK set in what ran?", dir)
	}
	if !exists(filepath.Join(dir, recording.SchemasName)) {
		return fmt.Errorf("%s: recorded without schemas: they are asked of the terraform or tofu on the PATH, "+
			"which did not run or does not tell them", dir)
	}
	return nil
}

// empty reports whether there is nothing in the folder, or no such folder.
func empty(dir string) bool {
	files, _ := os.ReadDir(dir)
	return len(files) == 0
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
