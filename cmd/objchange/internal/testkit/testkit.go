// Package testkit has what the tests of several packages share: golden files and terminals.
package testkit

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// Update is the flag that has golden files written anew.
var Update = flag.Bool("update", false, "write golden files anew")

// ReadFile returns what a file has, or ends the test.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Golden compares what a test got with a golden file.
func Golden(t testing.TB, name string, got []byte) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(ReadFile(t, name)), string(got)); diff != "" {
		t.Errorf("%s: -update writes it anew (-want +got):\n%s", name, diff)
	}
}

// Parts compares what comes of each part of a golden file with what the file has. A part is
// a name, a line of input and the output, without empty lines. No output may have a secret.
func Parts(t testing.TB, name, secret string, do func(input string) string) {
	t.Helper()
	var all []string
	for part := range strings.SplitSeq(strings.TrimSpace(string(ReadFile(t, name))), "\n\n") {
		title, rest, _ := strings.Cut(part, "\n")
		input, _, _ := strings.Cut(rest, "\n")
		output := do(input)
		all = append(all, strings.TrimRight(fmt.Sprintf("%s\n%s\n%s", title, input, output), "\n"))
		if strings.Contains(output, secret) {
			t.Errorf("%s: shows what is sensitive", title)
		}
	}
	Golden(t, name, []byte(strings.Join(all, "\n\n")+"\n"))
}

// Terminal returns the two ends of a terminal with so many columns: the person's, and the
// command's.
func Terminal(t testing.TB, columns uint16) (person, command *os.File) {
	t.Helper()
	person, command, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = person.Close(); _ = command.Close() })
	Resize(t, command, columns)
	return person, command
}

// Resize gives a terminal so many columns.
func Resize(t testing.TB, command *os.File, columns uint16) {
	t.Helper()
	if err := pty.Setsize(command, &pty.Winsize{Rows: 25, Cols: columns}); err != nil {
		t.Fatal(err)
	}
}
