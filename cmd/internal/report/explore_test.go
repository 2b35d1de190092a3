package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck"
)

// TestExplorations checks that each type with a finding that counts or is tolerated is named once,
// with the command that explores it.
func TestExplorations(t *testing.T) {
	of := func(typeName, provider string, severity tfcheck.Severity, ignored string) report.Subject {
		return report.Subject{RPC: "ReadResource", Type: typeName, Explore: provider, Status: report.Checked,
			Findings: []report.Finding{{Rule: objchange.RuleStateUnknown, Message: "no", Severity: severity, Ignored: ignored}}}
	}
	r := &report.Report{Command: "watch", Subjects: []report.Subject{
		of("cloud_server", "acme/cloud", tfcheck.Rejected, ""),
		of("cloud_server", "acme/cloud", tfcheck.Tolerated, ""),
		of("cloud_disk", "acme/cloud", tfcheck.Tolerated, ""),
		of("cloud_disk", "it's here/cloud", tfcheck.Rejected, ""),
		of("cloud_zero", "acme/cloud", tfcheck.LegacyZero, ""),
		of("cloud_unchecked", "acme/cloud", tfcheck.Unchecked, ""),
		of("cloud_ignored", "acme/cloud", tfcheck.Rejected, "issue 1"),
		of("cloud_request", "", tfcheck.Rejected, ""),
	}}
	const first = "objchange explore --type cloud_server --type cloud_disk acme/cloud"
	const second = `objchange explore --type cloud_disk 'it'\''s here/cloud'`
	const unchecked = "objchange explore --type cloud_server --type cloud_disk --type cloud_unchecked acme/cloud"
	for _, test := range []struct {
		format report.Format
		on     report.FailOn
		want   []string
	}{
		{report.Text, report.FailOnCore, []string{"see: " + first, "see: " + second}},
		{report.Text, report.FailOnAll, []string{"see: " + unchecked, "see: " + second}},
		{report.Markdown, report.FailOnCore, []string{"- `" + first + "`", "- `" + second + "`"}},
		{report.JSON, report.FailOnCore, nil},
	} {
		var got []string
		for line := range strings.Lines(string(write(t, r, test.format, test.on))) {
			if strings.Contains(line, "objchange explore") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: %q, want %q", test.format, test.on, got, test.want)
		}
	}
}
