package survey

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

const documentName = "../../docs/survey.md"

var update = flag.Bool("update", false, "write golden files")

func TestTable(t *testing.T) {
	const golden = "testdata/table.golden"
	var out strings.Builder
	if err := Run(t.Context(), []string{"-table", "testdata/lines.jsonl"}, nil, &out, os.Stderr); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(readText(t, golden), out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestDocumentTable checks that the table in docs/survey.md has the format of -table.
func TestDocumentTable(t *testing.T) {
	_, table, found := strings.Cut(readText(t, documentName), tableHeader)
	if !found {
		t.Fatalf("%s has no table with these columns:\n%s", documentName, tableHeader)
	}
	table, after, _ := strings.Cut(table, "\n\n")
	row := regexp.MustCompile("^\\| ([^|]+) \\| `([^`]+)` \\| ([^|]+) \\| \\d+ \\| \\d+ \\|( \\d+ of \\d+)? \\|$")
	var cells []cell
	for line := range strings.Lines(table + "\n") {
		parts := row.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if parts == nil {
			t.Fatalf("no row: %s", line)
		}
		c := cell{SDK(parts[1]), objchange.Rule(parts[2]), tfcheck.Severity(parts[3])}
		if !slices.Contains(sdks, c.sdk) || !isRule(c.rule) || !slices.Contains(tfcheck.Severities(), c.severity) {
			t.Errorf("an SDK, a rule or a severity does not exist: %s", line)
		}
		cells = append(cells, c)
	}
	if !slices.IsSortedFunc(cells, cell.compare) {
		t.Error("the rows are in another order")
	}
	if !regexp.MustCompile(`^\d+ providers explored: \d+ types, \d+% reached, \d+ requests per second\.`).MatchString(after) {
		t.Errorf("no totals after the table: %.100s", after)
	}
}

func isRule(rule objchange.Rule) bool {
	return slices.Contains(objchange.Rules(), rule) ||
		slices.ContainsFunc(tfcheck.Rules(), func(info objchange.RuleInfo) bool { return info.Rule == rule })
}
