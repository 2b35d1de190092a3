package cli_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/objchange/objchange/cmd/objchange/internal/cli"
	"github.com/objchange/objchange/cmd/objchange/internal/testkit"
)

// repository is the root of the repository, from the folder of this package.
const repository = "../../../.."

// scriptCommands are what scripts can run beside testscript's own. Other files
// add theirs in an init function.
var scriptCommands = map[string]func(){
	"objchange": func() { os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	"without-help": func() {
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			panic(err)
		}
		fmt.Print(withoutHelp(string(text)))
	},
}

var ruleHelp = regexp.MustCompile(`("(?:markdown": "|text": ")For example, of).*(",?\n)`)

// withoutHelp shortens the help of the rules in SARIF, which is the same everywhere
// and long. Package report tests it.
func withoutHelp(text string) string { return ruleHelp.ReplaceAllString(text, "$1…$2") }

func TestMain(m *testing.M) {
	isCommand := scriptCommands[strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")] != nil
	if !isCommand && signal.Ignored(syscall.SIGHUP) { // by nohup: what tests start must end when it is told to
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	testscript.Main(m, scriptCommands)
}

// TestScripts runs the command from end to end, where it reads files and prints.
func TestScripts(t *testing.T) { runScripts(t, "../../testdata/script") }

// TestRunningScripts does so where it runs others, and is busy with several things
// at once: for the race detector, too.
func TestRunningScripts(t *testing.T) { runScripts(t, "../../testdata/running") }

// runScripts runs the scripts of a folder. In them, $REPO is the repository's root,
// and $RECORDINGS the recorded runs; "status 2 objchange ..." executes what must end
// with that exit status, and "exec without-help" shortens SARIF.
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
