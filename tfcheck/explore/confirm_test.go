package explore

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/explore/internal/confirm"
)

// fakes contains the names under which this test binary acts as a program, and the output of
// "PROGRAM version".
var fakes = map[string]string{
	"fake-terraform": "Terraform v1.11.4\non linux_amd64\n",
	"fake-tofu":      "OpenTofu v1.12.0\non linux_amd64\n",
	"fake-old":       "Terraform v0.12.31\n",
	"fake-other":     "hello\n",
}

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == servedName {
		serve()
		return
	}
	if version, ok := fakes[filepath.Base(os.Args[0])]; ok {
		os.Exit(fake(version, os.Args[1]))
	}
	m.Run()
}

const nullObject = "Provider produced null object"

// fakeErrors contains the errors of a fake program for each value of FAKE.
var fakeErrors = map[string][]struct{ Severity, Summary, Detail, Address string }{
	"right":    {{Summary: nullObject, Detail: "for data.cloud_server.example"}},
	"second":   {{Summary: "Other", Detail: "for data.cloud_server.example"}, {Summary: nullObject, Address: "data.cloud_server.example"}},
	"place":    {{Summary: nullObject, Detail: "for data.cloud_other.example"}},
	"summary":  {{Summary: "Other", Detail: "for data.cloud_server.example"}},
	"crash":    {{Summary: "Plugin did not respond", Detail: "no more"}},
	"secret":   {{Summary: nullObject, Detail: "for data.cloud_server.example: hunter22"}},
	"enormous": {{Summary: nullObject, Detail: "for data.cloud_server.example: " + strings.Repeat("é", maxError)}},
}

// fake acts as Terraform. It fails without a workspace that contains the provider.
func fake(version, command string) (exit int) {
	if command == "version" {
		fmt.Print(version)
		return 0
	}
	text, _ := os.ReadFile("main.tf")
	config, _ := os.ReadFile(os.Getenv("TF_CLI_CONFIG_FILE"))
	_, err := os.Lstat("provider/terraform-provider-cloud")
	if err != nil || !strings.Contains(string(text), `data "cloud_server" "example"`) || !strings.Contains(string(config), `"hashicorp/cloud" = "`) {
		return 3
	}
	switch os.Getenv("FAKE") {
	case "hangs":
		time.Sleep(time.Minute)
	case "noise":
		fmt.Println("noise")
		return 1
	case "document":
		fmt.Printf(`{"valid": false, "diagnostics": [{"severity": "error", "summary": %q, "detail": "data.cloud_server.example"}]}`, nullObject)
		return 1
	}
	for _, d := range fakeErrors[os.Getenv("FAKE")] {
		d.Severity, exit = "error", 1
		line, _ := json.Marshal(map[string]any{"type": "diagnostic", "diagnostic": d})
		fmt.Println(string(line))
	}
	return exit
}

// fakeProgram returns the path of a fake program.
func fakeProgram(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if os.Symlink(self, path) != nil { // Windows requires a privilege for it
		err = os.Link(self, path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSummaryAndTypeConfirm checks that an error with the finding's summary and type confirms the finding, and
// that a finding that could not be run counts.
func TestSummaryAndTypeConfirm(t *testing.T) {
	const enormous = "Error: " + nullObject + "\n\nfor data.cloud_server.example: "
	for _, test := range []struct {
		fake    string
		program string // Terraform by default
		want    Confirmation
	}{
		{fake: "right", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject + "\n\nfor data.cloud_server.example"}},
		{fake: "right", program: "fake-tofu", want: Confirmation{Program: "OpenTofu", Version: "1.12.0", Verdict: Confirmed, Error: "Error: " + nullObject + "\n\nfor data.cloud_server.example"}},
		{fake: "second", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject}},
		{fake: "document", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject + "\n\ndata.cloud_server.example"}},
		{fake: "secret", want: Confirmation{Verdict: Confirmed, Error: "Error: " + nullObject + "\n\nfor data.cloud_server.example: (secret)"}},
		{fake: "enormous", want: Confirmation{Verdict: Confirmed, Error: enormous + strings.Repeat("é", (maxError-len(enormous))/2) + "…"}},
		{fake: "place", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan fails with another error", Error: "Error: " + nullObject + "\n\nfor data.cloud_other.example"}},
		{fake: "summary", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan fails with another error", Error: "Error: Other\n\nfor data.cloud_server.example"}},
		{fake: "crash", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan fails with another error", Error: "Error: Plugin did not respond\n\nno more"}},
		{fake: "fine", want: Confirmation{Verdict: Unconfirmed, Reason: "terraform plan does not fail"}},
		{fake: "noise", want: Confirmation{Verdict: Untried, Reason: "terraform plan: exit status 1"}},
		{fake: "hangs", want: Confirmation{Verdict: Untried, Reason: "terraform plan: context deadline exceeded"}},
	} {
		t.Run(test.fake, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if test.fake == "hangs" {
				limit = time.Second
			}
			if test.want.Program == "" {
				test.program, test.want.Program, test.want.Version = "fake-terraform", "Terraform", "1.11.4"
			}
			h := readHints("read: ['*']\nprovider: {env: {FAKE: " + test.fake + ", PASSWORD: hunter22}}")
			var last Progress
			r := newCloud(t, Data, nameAndSize).mustExplore(t, WithHints(h), TimeLimit(limit), Requests(20),
				Confirm(fakeProgram(t, test.program), "provider"), OnProgress(func(p Progress) { last = p }))
			all := r.Findings
			if test.want.Verdict == Unconfirmed {
				all = r.Unconfirmed
			}
			if len(all) != 1 || len(r.Findings)+len(r.Unconfirmed) != 1 || all[0].Rule != objchange.RuleDataNull {
				t.Fatalf("%v", r)
			}
			if diff := cmp.Diff(&test.want, all[0].Confirmed); diff != "" {
				t.Error(diff)
			}
			if shown := all[0].String(); !strings.Contains(shown, test.want.Reason) || !strings.Contains(shown, test.want.Error) {
				t.Error(shown)
			}
			if last.Confirming != 1 || last.Confirmed != 1 {
				t.Errorf("%+v", last)
			}
		})
	}
}

// TestConfirmWithoutProgram checks that explore returns an error without a program that can
// confirm.
func TestConfirmWithoutProgram(t *testing.T) {
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "nothing"): "no such file",
		fakeProgram(t, "fake-other"):          "is neither Terraform 1 nor OpenTofu 1",
		fakeProgram(t, "fake-old"):            "is neither Terraform 1 nor OpenTofu 1",
	} {
		r, err := newCloud(t, Data, nameAndSize).explore(t, Confirm(path, "provider"))
		if err == nil || !strings.Contains(err.Error(), want) || len(r.Types) > 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestFindingsWithOneCauseAreJoined checks that findings with the same cause are one finding with
// all places, apart from findings that are not replayed or did not happen again.
func TestFindingsWithOneCauseAreJoined(t *testing.T) {
	of := func(rule objchange.Rule, names string, replayed, unstable bool) *candidate {
		var path cty.Path
		for name := range strings.FieldsSeq(names) {
			path = path.GetAttr(name)
		}
		return &candidate{replayed: replayed, unstable: unstable, broken: confirm.Finding{Path: path}, finding: Finding{
			Rule: rule, Severity: objchange.Rejected, Places: []Place{{Resource, "cloud_server", objchange.PathString(path)}}}}
	}
	first, unstable := of("a", "name", true, false), of("a", "name", true, true)
	got := causesOf([]*typeResult{
		{findings: []*candidate{of("b", "name", false, false), unstable, first}},
		{findings: []*candidate{of("a", "rule name", true, false), of("a", "name", true, false)}},
	})
	places := first.finding.Places
	if !slices.Equal(got, []*candidate{unstable, first}) || len(places) != 2 || places[1].Path != ".rule.name" {
		t.Errorf("%v, %v", got, first.finding.Places)
	}
	for severity, want := range map[objchange.Severity]int{
		objchange.Rejected: 2, objchange.Tolerated: 2, objchange.Unchecked: 2, objchange.LegacySDK: 1,
	} {
		name, size := of("a", "name", true, false), of("a", "size", true, false)
		name.finding.Severity, size.finding.Severity = severity, severity
		if got := causesOf([]*typeResult{{findings: []*candidate{name, size}}}); len(got) != want {
			t.Errorf("%d causes of two attributes that are %s, want %d", len(got), severity, want)
		}
	}
	known, tolerated := of("a", "", true, false), of("a", "", true, false)
	known.finding.Known, tolerated.finding.Severity = "issue 42", objchange.Tolerated
	for c, want := range map[*candidate]bool{first: true, unstable: false, known: false, tolerated: false} {
		if c.counts() != want {
			t.Errorf("%+v counts: %v", c.finding, !want)
		}
	}
}
