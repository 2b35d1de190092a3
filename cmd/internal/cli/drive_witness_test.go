package cli_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// These functions let a test observe a running provider.

// wait waits for a file named go in the folder $WAIT, if "waits-" with the given point is set.
func (c *cloud) wait(where string) {
	if dir := os.Getenv("WAIT"); c.will("waits-" + where) {
		_ = os.WriteFile(filepath.Join(dir, where), nil, 0o600)
		awaitFile(filepath.Join(dir, "go"))
	}
}

// witness connects to the address $WITNESS, if that is set, until the process ends.
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
		return // no journal
	}
	defer file.Close()
	fmt.Fprintln(file, text)
}

// awaitFile waits until the file exists.
func awaitFile(name string) {
	for {
		if _, err := os.Stat(name); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
