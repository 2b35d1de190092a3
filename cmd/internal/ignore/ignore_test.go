package ignore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/ignore"
	"github.com/objchange/objchange/cmd/internal/report"
)

var today = time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)

// audited returns a report of audit with a finding at each path of a resource in a plan.
func audited(plan, address string, paths ...string) *report.Report {
	s := report.Subject{Group: plan, Address: address, Action: "update", Status: report.Checked}
	for _, path := range paths {
		s.Findings = append(s.Findings, report.Finding{Rule: objchange.RuleInconsistentValue, Path: path, Severity: objchange.Rejected})
	}
	return &report.Report{Command: "audit", Subjects: []report.Subject{s}}
}

// left returns the paths of the findings that count.
func left(r *report.Report) (paths []string) {
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			if f.Counts(report.FailOnCore) {
				paths = append(paths, f.Path)
			}
		}
	}
	return paths
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{ // the paths that count
		`inconsistent-value:x_a.n["a\"b:c"]`:          ``,
		`inconsistent-value:x_a.n["a\"b:c"]:.name`:    `"" .m["*"] .m["k"]`,
		`inconsistent-value::.m["*"]`:                 `"" .name`,
		`inconsistent-value::.m["\*"]`:                `"" .name .m["k"]`,
		`inconsistent-value::.*[*k*]`:                 `"" .name .m["*"]`,
		`plan-*:x_a.*`:                                `"" .name .m["*"] .m["k"]`,
		`inconsistent-*:x_a.n["a\\\\"b:.c"]:.name:no`: `"" .name .m["*"] .m["k"]`,
	} {
		e, err := ignore.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r := audited("plan.json", `x_a.n["a\"b:c"]`, "", ".name", `.m["*"]`, `.m["k"]`)
		ignore.NewSet([]ignore.Entry{e}, today).Apply(r)
		paths := left(r)
		if len(paths) > 0 && paths[0] == "" {
			paths[0] = `""`
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s leaves %s, want %s", text, got, want)
		}
	}
}

// baseline writes a baseline for the report and returns its name.
func baseline(t *testing.T, r *report.Report, kept ...ignore.Entry) string {
	t.Helper()
	var text strings.Builder
	if err := ignore.WriteBaseline(&text, kept, r, report.Options{}, "known", ""); err != nil {
		t.Fatal(err)
	}
	return write(t, text.String())
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "base.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// set reads a file.
func set(t *testing.T, name string) ignore.Set {
	t.Helper()
	entries, err := ignore.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return ignore.NewSet(entries, today)
}

// TestFileMatchesAnyFormOfItsName checks that the file of an entry matches any form of the name on
// the command line.
func TestFileMatchesAnyFormOfItsName(t *testing.T) {
	for _, pattern := range []string{"plans/prod/*", "./plans/prod/*"} {
		entries := set(t, write(t, "ignore:\n- {rule: '*', file: "+pattern+", reason: known}\n"))
		for plan, want := range map[string]int{"plans/prod/x.json": 0, "./plans/prod/x.json": 0, "plans/./prod//x.json": 0, "plans/test/x.json": 1} {
			r := audited(plan, "x_a.n", ".name")
			if entries.Apply(r); len(left(r)) != want {
				t.Errorf("%s and %s: %d left", pattern, plan, len(left(r)))
			}
		}
	}
}

// TestBaselineIgnoresExactlyItsFindings checks that a baseline ignores exactly the findings that it
// was written for. Rewriting it keeps the entries that are needed.
func TestBaselineIgnoresExactlyItsFindings(t *testing.T) {
	for _, test := range []struct{ plan, address, path string }{
		{"plan.json", "x_a.n", ""},
		{"plan.json", `x_a.n["a\\*\"b"]`, `.m["\\"]`},
		{"plan.json", `x_a.n["` + "\xff" + `"]`, `.m["*"]`},
		{"./prod/plan*.json", "x_a.n", ".name"},
	} {
		r := audited(test.plan, test.address, test.path)
		for _, other := range []struct {
			*report.Report
			left int
		}{
			{audited(test.plan, test.address, test.path), 0},
			{audited(test.plan, test.address, test.path+".other"), 1},
			{audited(test.plan, `x_a.n["other"]`, test.path), 1},
			{audited("prod/planned.json", test.address, test.path), 1},
		} {
			set(t, baseline(t, r)).Apply(other.Report)
			if got := left(other.Report); len(got) != other.left {
				t.Errorf("%v: of the findings %v, these remain: %q", test, other.Subjects, got)
			}
		}
	}
	old := write(t, `ignore:
  - {rule: "*", path: .a, reason: needed}
  - {rule: "*", path: .a, reason: needed}
  - {rule: "*", path: .b, reason: expired, expires: 2026-06-14}
  - {rule: "*", path: .c, reason: unused}
`)
	s, r := set(t, old), audited("plan.json", "x_a.n", ".a", ".b")
	s.Apply(r)
	again := set(t, baseline(t, r, s.Kept(old, false)...)).Uses()
	if len(again) != 2 || again[0].Reason != "needed" || again[1].Reason != "known" || len(s.Kept(old, true)) != 3 || len(s.Kept("other.yaml", true)) > 0 {
		t.Errorf("%v, %v", again, s.Kept(old, true))
	}
}

// TestEveryMatchingEntryIsUsed checks that every matching entry is used, not only the first.
func TestEveryMatchingEntryIsUsed(t *testing.T) {
	s := set(t, write(t, `ignore:
  - {rule: inconsistent-value, path: .a, reason: first}
  - {rule: "*", reason: second, file: dev/*}
  - {rule: "*", reason: gone, expires: 2026-06-14}
  - {rule: "*", reason: today, expires: 2026-06-15, address: x_b.*}
`))
	r := audited("dev/plan.json", "x_a.n", ".a", ".b")
	s.Apply(r)
	var got []string
	for _, u := range s.Uses() {
		got = append(got, fmt.Sprintf("%s: %s %d %s", u.What, u.Reason, u.Used, u.Expired))
	}
	want := "inconsistent-value::.a: first 1 |* in dev/*: second 2 |*: gone 0 2026-06-14|*:x_b.*: today 0 "
	if strings.Join(got, "|") != want || r.Subjects[0].Findings[0].Ignored != "first" || len(left(r)) > 0 {
		t.Errorf("%q, %v", got, r)
	}
}

// TestErrorHasFileAndLine checks that an error has the file and the line, and does not repeat the text.
func TestErrorHasFileAndLine(t *testing.T) {
	const fields = `the file must contain only "ignore:" with a list of entries. ` +
		"Each entry needs a rule and a reason, and may have file, address, path and expires; all must be strings"
	for text, want := range map[string]string{
		"":         "",
		"secret\n": ":1: " + fields,
		"ignore:\n- &a {rule: plan-count, reason: &r x}\n- {rule: plan-count, reason: *r}\n- {<<: *a, path: .a}\n- *a\n": "",
		"ignore:\n- &a {rule: plan-count, reason: x, <<: {secret: x}}\n":                                                 ":2: " + fields,
		"ignore:\n- &a {rule: plan-count, reason: x, rule: secret}\n":                                                    ":2: " + fields,
		"ignore:\n- {rule: plan-count, reason: x}\n- {rule: plan-count, reason: '  '}\n":                                 ":3: plan-count needs a reason",
		"ignore: []\n---\nignore: []\n":                                                                                  ": the file must contain only one document",
		"ignore:\n\t- secret\n":                                                                                          ":2: invalid YAML",
		"ignore:\n" + strings.Repeat("- secret: secret\n", 5000):                                                         ":2: " + fields,
		"ignore:\n- {rule: plan-cout, reason: x}\n- {rule: no, reason: x}\n- {reason: x}\n":                              ":4: the rule is missing; use * for any rule",
		"ignore:\n" + strings.Repeat("- {rule: plan-count}\n", 9):                                                        ": 4 more entries are invalid",
		"ignore:\n- rule: plan-count\n  adress: x\n  reason: x\n":                                                        ":3: " + fields,
		"ignore:\n- {rule: plan-count, path: name, reason: x}\n":                                                         `:2: plan-count::name: no path matches "name": did you mean ".name"?`,
		"ignore:\n- {Rule: plan-count, reason: x}\n":                                                                     ":2: " + fields,
		"ignores:\n- {rule: plan-count, reason: x}\n":                                                                    ":1: " + fields,
	} {
		name := write(t, text)
		_, err := ignore.Read(name)
		got := ""
		if err != nil {
			got = strings.ReplaceAll(err.Error(), name, "")
		}
		if (want == "") != (got == "") || !strings.HasSuffix(got, want) || strings.Contains(got, "secret") {
			t.Errorf("%q: %s, want %s", text[:min(len(text), 100)], got, want)
		}
	}
}

// TestLegacySDKNeedsNoEntry checks that an entry is not used for findings that the legacy SDK causes, which never
// count.
func TestLegacySDKNeedsNoEntry(t *testing.T) {
	r := audited("plan.json", "x_a.n", ".name")
	r.Subjects[0].Findings[0].Severity = objchange.LegacySDK
	s := set(t, write(t, "ignore:\n- {rule: '*', reason: x}\n"))
	s.Apply(r)
	if f := r.Subjects[0].Findings[0]; f.Ignored != "" || s.Uses()[0].Used != 0 {
		t.Errorf("%+v, used %d", f, s.Uses()[0].Used)
	}
}
