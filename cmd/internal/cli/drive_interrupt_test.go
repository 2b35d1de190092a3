//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A driven is a run of objchange drive whose provider waits at some point.
type driven struct {
	*exec.Cmd
	dir, tmp string
	out      bytes.Buffer
	provider net.Listener // the provider connects to it
}

func newDriven(t *testing.T, where string, flags ...string) *driven {
	t.Helper()
	d := &driven{dir: t.TempDir(), tmp: t.TempDir()}
	config := filepath.Join(d.dir, "config.json")
	if err := os.WriteFile(config, []byte(`{"name": "web"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if d.provider, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.provider.Close() })
	args := append([]string{"drive", "--yes", "--type", "cloud_server", "--config", config, "terraform-provider-cloud"}, flags...)
	d.Cmd = exec.CommandContext(t.Context(), "objchange", args...)
	d.Env = append(os.Environ(), "CLOUD=waits-"+where, "WAIT="+d.dir, "JOURNAL="+d.file("journal"),
		"WITNESS="+d.provider.Addr().String(), "TMPDIR="+d.tmp)
	errOut, err := os.Create(d.file("stderr"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { errOut.Close() })
	d.Stdout, d.Stderr = &d.out, errOut
	return d
}

func (d *driven) file(name string) string { return filepath.Join(d.dir, name) }

// await waits for the condition.
func (d *driven) await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(60 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("no %s: %s", what, d.said())
		}
	}
}

// until starts the run and returns when the provider waits at the given point.
func (d *driven) until(t *testing.T, where string) {
	t.Helper()
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	d.await(t, where, func() bool { _, err := os.Stat(d.file(where)); return err == nil })
}

func (d *driven) goOn(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(d.file("go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// interrupted returns when the interrupt has been received.
func (d *driven) interrupted(t *testing.T) {
	t.Helper()
	d.await(t, "interrupt", func() bool { return strings.Contains(d.said(), "Interrupted: ") })
}

func (d *driven) send(t *testing.T, s os.Signal) {
	t.Helper()
	if err := d.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// ended waits for the end. It fails if a process remains, or, if inOrder is true, a file.
func (d *driven) ended(t *testing.T, inOrder bool) {
	t.Helper()
	err := d.Wait()
	if exit := (&exec.ExitError{}); inOrder && (!errors.As(err, &exit) || exit.ExitCode() != 2) {
		t.Errorf("ended with %v", err)
	}
	conn, err := d.provider.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the provider still runs")
	}
	if left, err := os.ReadDir(d.tmp); inOrder && (err != nil || len(left) > 0) {
		t.Errorf("remaining files in the temporary folder: %v, %v", left, err)
	}
}

func (d *driven) said() string {
	text, _ := os.ReadFile(d.file("stderr"))
	return string(text)
}

func (d *driven) journal() string {
	text, _ := os.ReadFile(d.file("journal"))
	return strings.Join(strings.Fields(string(text)), " ")
}

// TestDriveInterrupted checks that an interrupt ends the step under way and destroys the object,
// and that a second one leaves the object and reports it. Before create, nothing is created. A
// provider that hangs is ended after the grace period, and the objects that remain or may remain
// are reported.
func TestDriveInterrupted(t *testing.T) {
	const left = `not destroyed: a cloud_server with the id "i-1"`
	hangup := slices.Repeat([]syscall.Signal{syscall.SIGHUP}, 6) // as a terminal sends when it closes
	for _, test := range []struct {
		where   string // the point where the provider waits
		signals []syscall.Signal
		hangs   bool   // it waits without end
		journal string // its actions
		want    string // part of the output, or ""
	}{
		{where: "starting", signals: []syscall.Signal{syscall.SIGINT}},
		{where: "reading", signals: []syscall.Signal{syscall.SIGINT}, journal: "created destroyed", want: "cloud_server  destroy  delete"},
		{where: "reading", signals: hangup, journal: "created destroyed"},
		{where: "reading", signals: []syscall.Signal{syscall.SIGINT, syscall.SIGINT}, hangs: true, journal: "created", want: left},
		{where: "starting", signals: []syscall.Signal{syscall.SIGTERM}, hangs: true},
		{where: "configuring", signals: []syscall.Signal{syscall.SIGTERM}, hangs: true},
		{where: "applying", signals: []syscall.Signal{syscall.SIGTERM}, hangs: true,
			want: "create: a cloud_server may still exist: the provider did not return its state"},
		{where: "reading", signals: []syscall.Signal{syscall.SIGTERM}, hangs: true, journal: "created", want: left},
		{where: "destroying", signals: []syscall.Signal{syscall.SIGTERM}, hangs: true, journal: "created", want: left},
	} {
		t.Run(test.where, func(t *testing.T) {
			grace := "5m"
			if test.hangs && len(test.signals) == 1 {
				grace = "100ms"
			}
			d := newDriven(t, test.where, "--grace", grace)
			d.until(t, test.where)
			for i, s := range test.signals {
				if i > 0 {
					d.interrupted(t)
					time.Sleep(5 * time.Millisecond) // otherwise they arrive as one
				}
				d.send(t, s)
			}
			if !test.hangs {
				d.interrupted(t)
				d.goOn(t)
			}
			d.ended(t, true)
			output := d.out.String()
			if got := d.journal(); got != test.journal || !strings.Contains(output, test.want) ||
				test.want == "" && (strings.Contains(output, "left over") || strings.Contains(output, "refresh  no-op")) {
				t.Errorf("%s\n%s\n%s", got, output, d.said())
			}
		})
	}
}

// TestDriveUnheard checks that the object is destroyed if the terminal closes or the reader of a
// pipe ends.
func TestDriveUnheard(t *testing.T) {
	check := func(t *testing.T, d *driven, said string) {
		t.Helper()
		d.goOn(t)
		d.ended(t, true)
		if got := d.journal(); got != "created destroyed" || !strings.Contains(d.said(), said) {
			t.Errorf("%s; %s", got, d.said())
		}
	}
	t.Run("terminal", func(t *testing.T) {
		d := newDriven(t, "reading")
		screen, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		d.Stdin, d.Stdout = tty, tty
		d.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		d.until(t, "reading")
		tty.Close()
		screen.Close()
		d.interrupted(t)
		check(t, d, "Interrupted")
	})
	t.Run("pipe", func(t *testing.T) {
		d := newDriven(t, "applying")
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		d.Stdout = write
		d.until(t, "applying")
		write.Close()
		read.Close()
		check(t, d, "broken pipe")
	})
}

// TestDriveOutlived checks that the provider ends if objchange is killed, on systems that support
// it.
func TestDriveOutlived(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "freebsd" {
		t.Skip("not on " + runtime.GOOS)
	}
	d := newDriven(t, "reading")
	d.until(t, "reading")
	d.send(t, syscall.SIGKILL)
	d.ended(t, false)
}
