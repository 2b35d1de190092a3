package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/objchange/objchange/cmd/internal/cli"
	"github.com/objchange/objchange/cmd/internal/testkit"
)

// repository is the path of the root of the repository.
const repository = "../../.."

// scriptCommands are the additional commands of scripts. Other files add theirs in an init
// function.
var scriptCommands = map[string]func(){
	"objchange": func() { os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
}

func TestMain(m *testing.M) {
	isCommand := scriptCommands[strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")] != nil
	if !isCommand && signal.Ignored(syscall.SIGHUP) { // started by nohup; the processes of tests must end at the signal
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	testscript.Main(m, scriptCommands)
}

// TestScripts runs the scripts that the race detector does not need: for commands that read files
// and print, and for flags and mistakes of the others.
func TestScripts(t *testing.T) { runScripts(t, "../../objchange/testdata/script") }

// TestRunningScripts runs scripts for commands that run other programs and use several goroutines.
// It is also for the race detector, so each script runs such a command once for each way to use it.
func TestRunningScripts(t *testing.T) { runScripts(t, "../../objchange/testdata/running") }

// runScripts runs the scripts of a folder. In scripts, $REPO is the root of the repository, and
// $RECORDINGS the folder of recordings. "status 2 objchange ..." runs a command that must end with
// this exit status.
func runScripts(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                dir,
		UpdateScripts:      *testkit.Update,
		RequireUniqueNames: true,
		Cmds:               map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPO", root)
			env.Setenv("RECORDINGS", filepath.Join(root, "testdata", "recordings"))
			env.Setenv("TERM", "xterm-256color")
			env.Setenv("PLATFORM", runtime.GOOS+"_"+runtime.GOARCH)
			env.Setenv("GORACE", os.Getenv("GORACE"))
			env.Setenv("GOGC", "400") // the programs are short
			return nil
		},
	})
}

func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := (&exec.ExitError{}); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit status %d, want %s", got, want)
	}
}
