package survey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/objchange/objchange/tfcheck/explore"
)

// TestMain lets the executable of the test act as the survey, because the survey runs its own
// executable for each task.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "-explore" {
		if err := Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestSurvey surveys a released provider, and then continues with an output file that contains the
// provider.
func TestSurvey(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a provider")
	}
	output := filepath.Join(t.TempDir(), "lines.jsonl")
	for _, how := range []string{"surveyed", "continued"} {
		list := strings.NewReader("github.com/hashicorp/terraform-provider-time v0.14.2 hashicorp/time\n")
		if err := Run(t.Context(), []string{"-requests", "50", "-type", "time_*", "-details", "-o", output, "-"}, list, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		lines, err := readFile(output)
		if err != nil || len(lines) != 1 {
			t.Fatalf("%s: %d lines: %v", how, len(lines), err)
		}
		line := lines[0]
		if line.Seconds <= 0 || line.Requests < 50 || line.Details == nil || line.Details.Requests != line.Requests {
			t.Errorf("%s: %d requests in %f seconds, details: %v", how, line.Requests, line.Seconds, line.Details)
		}
		line.Seconds, line.Requests, line.Details, line.Gaps = 0, 0, nil, nil
		want := Line{
			Module: "github.com/hashicorp/terraform-provider-time", Version: "v0.14.2", SDK: Framework, Protocol: 5,
			Types: map[explore.Kind]Reach{explore.Resource: {4, 4}}, Findings: []Finding{},
		}
		if diff := cmp.Diff(want, line); diff != "" {
			t.Errorf("%s: %s", how, diff)
		}
	}
}

// TestOtherTerraform checks that only Terraform and OpenTofu can confirm findings.
func TestOtherTerraform(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a provider")
	}
	output := filepath.Join(t.TempDir(), "lines.jsonl")
	list := strings.NewReader("github.com/hashicorp/terraform-provider-time v0.14.2\n")
	if err := Run(t.Context(), []string{"-requests", "10", "-type", "time_static", "-terraform", "go", "-o", output, "-"}, list, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines, err := readFile(output)
	if err != nil || len(lines) != 1 || lines[0].Error == nil || lines[0].Error.Step != StepExplore {
		t.Errorf("%v, %v", lines, err)
	}
}

// TestFailures surveys modules that are not providers, and modules that the proxy does not have.
func TestFailures(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	const program = "package main\n\nfunc main() {}\n"
	modules := map[string]struct {
		mod, source string // without source, the proxy only has the go.mod
		step        Step
		text        string
	}{
		"missing":    {"", "", StepRequirements, "missing/@v/v1.0.0.info"},
		"core":       {"require github.com/hashicorp/terraform v0.12.0\n", "", StepRequirements, "it requires github.com/hashicorp/terraform, but the source of that module must not be downloaded"},
		"dependency": {"require example.com/core v1.0.0\n", "package main\n\nimport _ \"example.com/core\"\n\nfunc main() {}\n", StepBuild, "github.com/hashicorp/terraform@v0.12.0: replacement directory ./refused does not exist"},
		"import":     {"", "package main\n\nimport _ \"github.com/opentofu/opentofu/internal\"\n\nfunc main() {}\n", StepBuild, "replacement directory ./refused does not exist"},
		"broken":     {"", "package main\n\nfunc main() { return 1 }\n", StepBuild, "terraform-provider.go:3:22: too many return values"},
		"library":    {"", "package b\n", StepBuild, "could not read Go build info from library"},
		"silent":     {"", program, StepExplore, ": is not a Terraform provider"},
	}
	useProxy(t)
	var list strings.Builder
	for name, m := range modules {
		fmt.Fprintf(&list, "example.com/%s v1.0.0\n", name)
		if m.step != StepRequirements || m.mod != "" {
			publish(t, "example.com/"+name, m.mod, m.source)
		}
	}
	output := filepath.Join(t.TempDir(), "lines.jsonl")
	if err := Run(t.Context(), []string{"-jobs", "2", "-o", output, "-"}, strings.NewReader(list.String()), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines, err := readFile(output)
	if err != nil || len(lines) != len(modules) {
		t.Fatalf("%d lines: %v", len(lines), err)
	}
	for _, line := range lines {
		want := modules[strings.TrimPrefix(line.Module, "example.com/")]
		if line.Error == nil || line.Error.Step != want.step || !strings.Contains(line.Error.Text, want.text) {
			t.Errorf("%s: %v\nwant %s: %s", line.Module, line.Error, want.step, want.text)
		}
	}
}

// useProxy makes the go command download modules only from a folder. See publish.
func useProxy(t *testing.T) {
	t.Helper()
	proxy := filepath.ToSlash(t.TempDir())
	t.Setenv("PROXY", proxy)
	t.Setenv("GOPROXY", "file:///"+strings.TrimPrefix(proxy, "/"))
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
	publish(t, "example.com/core", "require github.com/hashicorp/terraform v0.12.0\n", "package core\n\nimport _ \"github.com/hashicorp/terraform/internal\"\n")
}

// publish adds version v1.0.0 of a module to the proxy, with one file.
func publish(t *testing.T, path, mod, source string) {
	t.Helper()
	version := module.Version{Path: path, Version: "v1.0.0"}
	files := filepath.Join(os.Getenv("PROXY"), filepath.FromSlash(path), "@v")
	mod = "module " + path + "\n\ngo 1.25\n\n" + mod
	folder := t.TempDir()
	err := errors.Join(
		os.MkdirAll(files, 0o755),
		os.WriteFile(filepath.Join(files, "v1.0.0.info"), []byte(`{"Version":"v1.0.0"}`), 0o644),
		os.WriteFile(filepath.Join(files, "v1.0.0.mod"), []byte(mod), 0o644),
		os.WriteFile(filepath.Join(folder, "go.mod"), []byte(mod), 0o644),
		os.WriteFile(filepath.Join(folder, "terraform-provider.go"), []byte(source), 0o644),
	)
	if err != nil {
		t.Fatal(err)
	}
	if source == "" {
		return
	}
	archive, err := os.Create(filepath.Join(files, "v1.0.0.zip"))
	if err == nil {
		err = errors.Join(zip.CreateFromDir(archive, version, folder), archive.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestInterrupted checks that a provider gets no line if its survey was interrupted.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out strings.Builder
	err := Run(ctx, []string{"-jobs", "2", "-"}, strings.NewReader("example.com/b v1.0.0\nexample.com/c v1.0.0\n"), &out, io.Discard)
	if !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("%v, with %q", err, out.String())
	}
}

func TestMisuse(t *testing.T) {
	for _, args := range [][]string{{}, {"a", "b"}, {"-table"}, {"-explore", "a"}, {"-jobs", "0", "-"}, {"-requests", "0", "-"}, {"-limit", "0s", "-"}, {"-terraform", "no-such-program", "-"}} {
		if err := Run(t.Context(), args, strings.NewReader(""), io.Discard, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
