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

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/recording"
	"github.com/objchange/objchange/configschema"
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
	signals := command.Endings() // from now on, as there is something to clean up
	defer signal.Stop(signals)
	scripts, err := os.MkdirTemp("", "objchange-record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scripts)
	standIns, err := writeStandIns(scripts, dir)
	if err != nil {
		return err
	}
	if dir, err = prepare(dir); err != nil {
		return err
	}
	program := args[0]
	if script, ok := standIns[program]; ok {
		program = script
	}
	cmd := exec.Command(program, args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errOut
	cmd.Env = environment(dir, scripts, standIns)
	failed := command.Run(cmd, signals)
	if failed != nil && !errors.As(failed, new(*exec.ExitError)) { // it did not even run
		discard(dir)
		return failed
	}
	if err := complete(dir, scripts); err != nil {
		return err
	}
	return failed
}

// prepare makes the folder and returns its absolute name. What is in it already is
// somebody's, or was recorded of another run. A recording is for nobody else to
// read: all that a state holds is in it.
func prepare(dir string) (string, error) {
	for _, name := range []string{recording.LogName, recording.SchemasName, recording.DataName} {
		name = filepath.Join(dir, name)
		if _, err := os.Lstat(name); err == nil {
			return "", fmt.Errorf("%s: is there already, and nothing is written over: record into another folder", name)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, recording.DataName), 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, recording.LogName), nil, 0o600); err != nil {
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
func complete(dir, scripts string) error {
	data := filepath.Join(dir, recording.DataName)
	files, err := os.ReadDir(data)
	if len(files) == 0 {
		discard(dir)
		return errors.Join(fmt.Errorf("%s: nothing is recorded: no provider was asked for anything", dir), err)
	}
	for _, file := range files { // which providers let all read
		if err := os.Chmod(filepath.Join(data, file.Name()), 0o600); err != nil {
			return err
		}
	}
	if log, err := os.Stat(filepath.Join(dir, recording.LogName)); err != nil || log.Size() == 0 {
		return fmt.Errorf("%s: data is recorded, but no log: is TF_LOG or TF_LOG_SDK set in what ran?", dir)
	}
	name := filepath.Join(dir, recording.SchemasName)
	schemas, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: recorded without schemas: %s", dir, whyNoSchemas(scripts))
	}
	if err != nil {
		return err
	}
	if _, err := configschema.ParseProviderSchemas(schemas); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// discard takes away what prepare has made and stand-ins have added, so that the
// folder can be recorded into. Data files are never taken away.
func discard(dir string) {
	if os.Remove(filepath.Join(dir, recording.DataName)) != nil {
		return // not empty
	}
	_ = os.Remove(filepath.Join(dir, recording.LogName))
	_ = os.Remove(filepath.Join(dir, recording.SchemasName))
}
