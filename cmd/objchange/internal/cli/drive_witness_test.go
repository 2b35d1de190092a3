package cli_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// What a test learns of a provider that runs.

// wait waits, if it "waits-" there, until there is a file go in $WAIT.
func (c *cloud) wait(where string) {
	if dir := os.Getenv("WAIT"); c.will("waits-" + where) {
		_ = os.WriteFile(filepath.Join(dir, where), nil, 0o600)
		awaitFile(filepath.Join(dir, "go"))
	}
}

// witness connects to $WITNESS, if that is set, for as long as the process lives.
func (c *cloud) witness() func() {
	conn, err := net.Dial("tcp", os.Getenv("WITNESS"))
	if err != nil {
		return func() {}
	}
	return func() { conn.Close() }
}

// note adds a line to the journal.
func note(text string) {
	file, err := os.OpenFile(os.Getenv("JOURNAL"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return // there is none
	}
	defer file.Close()
	fmt.Fprintln(file, text)
}

// awaitFile returns when the file is there.
func awaitFile(name string) {
	for {
		if _, err := os.Stat(name); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
