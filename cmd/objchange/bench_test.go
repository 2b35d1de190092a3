//go:build unix

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// BenchmarkAudit audits a plan of 200 MB, which internal/bigplan makes, beside jq,
// which only reads and prints it. Both are processes of their own: peak-MB is the most
// memory that one had. In short, a tenth of it.
func BenchmarkAudit(b *testing.B) {
	dir := b.TempDir()
	run(b, "go", "run", "./internal/bigplan", "-megabytes", megabytes(200), dir)
	program, plan := filepath.Join(dir, "objchange"), filepath.Join(dir, "plan.json")
	run(b, "go", "build", "-o", program, ".")
	for _, command := range [][]string{
		{"jq", ".", plan},
		{"objchange", "audit", "--schemas", filepath.Join(dir, "schemas.json"), plan},
	} {
		b.Run(command[0], func(b *testing.B) {
			if command[0] == "objchange" {
				command[0] = program
			} else if _, err := exec.LookPath(command[0]); err != nil {
				b.Skip(err)
			}
			runs(b, command...)
		})
	}
}

// BenchmarkCheck judges a document of 100 MB, which internal/bigplan makes; in short,
// a tenth of it.
func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	run(b, "go", "run", "./internal/bigplan", "-document", "-megabytes", megabytes(100), dir)
	program := filepath.Join(dir, "objchange")
	run(b, "go", "build", "-o", program, ".")
	runs(b, program, "check", filepath.Join(dir, "document.json"))
}

func megabytes(n int) string {
	if testing.Short() {
		n /= 10
	}
	return strconv.Itoa(n)
}

// runs measures a program, and how much memory it had at most.
func runs(b *testing.B, command ...string) {
	b.Helper()
	peak := int64(0)
	for b.Loop() {
		peak = max(peak, run(b, command...))
	}
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
}

// run runs a program and returns how much memory it had at most.
func run(b *testing.B, command ...string) int64 {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
}
