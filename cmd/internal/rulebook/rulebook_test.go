package rulebook_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/document"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/docs"
	"github.com/objchange/objchange/tfcheck"
)

// TestEachRuleHasOneEntry checks that each rule has one entry.
func TestEachRuleHasOneEntry(t *testing.T) {
	seen := map[objchange.Rule]bool{}
	for _, e := range rulebook.Entries() {
		if seen[e.Rule] {
			t.Errorf("two entries for %s", e.Rule)
		}
		seen[e.Rule] = true
		if !strings.Contains(e.Meaning, "must") {
			t.Errorf("%s: %q does not say what must be true", e.Rule, e.Meaning)
		}
		if !strings.HasSuffix(e.Message, "["+string(e.Rule)+"]") {
			t.Errorf("%s: the example's message is of another rule: %s", e.Rule, e.Message)
		}
	}
	for _, rule := range objchange.Rules() {
		if !seen[rule] {
			t.Errorf("no entry for %s", rule)
		}
	}
}

// TestEachFixIsComplete checks that the section of each rule has causes, the remedy, and code or a reason
// for both SDKs, and that each link in it leads to a rule.
func TestEachFixIsComplete(t *testing.T) {
	for _, e := range rulebook.Entries() {
		prose := strings.Join(strings.Fields(e.Fix), " ")
		if text := "**Fix:** " + e.Remedy; !strings.HasSuffix(text, ".") || !strings.Contains(prose, text) {
			t.Errorf("%s: %q is missing", e.Rule, text)
		}
		if strings.HasPrefix(e.Fix, "**") {
			t.Errorf("%s: the causes are missing", e.Rule)
		}
		for _, made := range []string{"terraform-plugin-framework", "SDK v2"} {
			code := strings.Contains(e.Fix, "\n"+made+":\n\n```diff\n")
			if reason := strings.Contains(e.Fix, "\n"+made+": "); code == reason {
				t.Errorf("%s, %s: code: %t, a reason why there is no code: %t", e.Rule, made, code, reason)
			}
		}
		if strings.Contains(e.Fix, "rules/README.md") {
			t.Errorf("%s has a link to an unknown rule:\n%s", e.Rule, e.Fix)
		}
	}
}

var update = flag.Bool("update", false, "write the steps and the table of rules in docs/rules")

const reference = "../../../docs/rules/"

// TestReferenceHasTheSteps checks that docs/rules has the steps of each rule, as a sentence or as
// a list.
func TestReferenceHasTheSteps(t *testing.T) {
	for _, page := range docs.Pages() {
		want := page.Text
		for _, e := range rulebook.Entries() {
			_, section, found := strings.Cut(want, "\n## "+string(e.Rule)+"\n")
			if !found {
				continue
			}
			m := ofUsers.FindString(section)
			if m == "" {
				t.Fatalf("%s has no steps for users", e.Rule)
			}
			want = strings.Replace(want, section, strings.Replace(section, m, "**As a user:**"+listed(shortened(e.Steps))+"\n\n", 1), 1)
		}
		expectFile(t, reference+page.Name+".md", want)
	}
}

// shared are steps of many rules, and the texts of the links to README.md, which describes them.
var shared = []struct{ steps, link string }{
	{"^Try the newest version of the provider\\. .*\nReport it to the authors .*", "Try another version, and report the fault"},
	{"Report it to the authors of the provider\\. .*", "Report the fault"},
	{"^After apply: If this apply created the object, .*\nWhen Terraform plans again at apply: Run `terraform apply` again, .*",
		"Untaint the object after apply, or run `terraform apply` again"},
	{"If this apply created the object, .*", "Untaint the object if this apply created it"},
	{"Run `terraform apply` again, because .*", "Run `terraform apply` again"},
}

// shortened returns the steps with links in place of the shared steps.
func shortened(steps []string) []string {
	text := strings.Join(steps, "\n")
	for _, s := range shared {
		text = regexp.MustCompile("(?m)"+s.steps).ReplaceAllString(text, "["+s.link+"](README.md#as-a-user).")
	}
	return strings.Split(text, "\n")
}

// TestReferenceHasATableOfAllRules checks the table of all rules.
func TestReferenceHasATableOfAllRules(t *testing.T) {
	text, err := os.ReadFile(reference + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	const heading = "| rule | requirement | phases | severity |\n| --- | --- | --- | --- |\n"
	before, _, found := strings.Cut(string(text), heading)
	if !found {
		t.Fatal("the table is missing")
	}
	want := before + heading
	for _, e := range rulebook.Entries() {
		var phases []string
		for _, phase := range e.Phases {
			phases = append(phases, string(phase))
		}
		url, _ := strings.CutPrefix(e.Rule.Info().URL, docs.URL+"rules/")
		severity := string(e.Severity)
		if e.Partly {
			severity = "partly " + severity
		}
		want += fmt.Sprintf("| [%s](%s) | %s | %s | %s |\n", e.Rule, url, e.Meaning, strings.Join(phases, ", "), severity)
	}
	expectFile(t, reference+"README.md", want)
}

// expectFile fails if the file has another content. With -update it writes the content.
func expectFile(t *testing.T, file, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want == string(text) {
		return
	}
	if !*update {
		t.Errorf("%s differs (go test -run Reference -update writes it):\n%s", file, cmp.Diff(string(text), want))
	} else if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
		t.Fatal(err)
	}
}

// ofUsers matches a sentence or a list of steps, up to the next paragraph.
var ofUsers = regexp.MustCompile(`\*\*As a user:\*\*(?:.+\n)*\n?\n(?:\d+\. .*\n(?:   .*\n)*\n)*`)

// listed returns the steps in the form of the document: one as a sentence, several as a list.
func listed(steps []string) string {
	if len(steps) == 1 {
		return wrapped(" "+steps[0], "")
	}
	var b strings.Builder
	for i, step := range steps {
		b.WriteString("\n\n" + wrapped(fmt.Sprintf("%d. %s", i+1, step), "   "))
	}
	return b.String()
}

// wrapped returns the text wrapped as in the documents.
func wrapped(text, indent string) string {
	const width = 125
	var lines []string
	for len(text) > width {
		i := strings.LastIndex(text[:width+1], " ")
		lines, text = append(lines, text[:i]), indent+text[i+1:]
	}
	return strings.Join(append(lines, text), "\n")
}

// TestFixForTerminalHasNoMarkup checks that the text for a terminal has no markup, and all code.
func TestFixForTerminalHasNoMarkup(t *testing.T) {
	e := rulebook.Entry{Fix: "Causes,\nsee [plan-key](plan.md#plan-key).\n\n**Fix:** Plan *it*.\n\nSDK v2, broken:\n\n```go\nif x {\n\ty()\n\n}\n```\n\nLast."}
	text := e.FixText(func(paragraph string) string { return "<" + paragraph + ">" })
	want := "<Causes, see plan-key.>\n\n<Fix: Plan it.>\n\n<SDK v2, broken:>\n\n  if x {\n      y()\n\n  }\n\n<Last.>"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for _, e := range rulebook.Entries() {
		if strings.Contains(e.Fix, "](#") {
			t.Errorf("%s has a relative link:\n%s", e.Rule, e.Fix)
		}
	}
}

// TestCheckFindsTheExampleOfEachRule checks that check accepts each Checked example, and finds
// exactly the violation in the rules reference.
func TestCheckFindsTheExampleOfEachRule(t *testing.T) {
	for _, entry := range rulebook.Entries() {
		t.Run(string(entry.Rule), func(t *testing.T) {
			for d, err := range new(document.Reader).Read("example.json", strings.NewReader(entry.Example)) {
				var found []report.Finding
				if err == nil {
					found = d.Subject().Findings
				}
				says := len(found) == 1 && found[0].Rule == entry.Rule && strings.Contains(entry.Message, found[0].Message)
				if says != entry.Checked {
					t.Errorf("checked: %v; check finds %v, %v", entry.Checked, found, err)
				}
			}
		})
	}
}

// TestTfcheckFindsItsExamples checks the examples that tfcheck can check from values alone. The tests of the
// library check its examples.
func TestTfcheckFindsItsExamples(t *testing.T) {
	for rule, request := range map[objchange.Rule]struct {
		rpc    string
		answer string
	}{
		objchange.RuleProposedNotCore: {"PlanResourceChange", "proposed"},
		objchange.RuleDataNull:        {"ReadDataSource", "read"},
		objchange.RuleDeferral:        {"PlanResourceChange", "planned"},
	} {
		t.Run(string(rule), func(t *testing.T) {
			entry, _ := rulebook.Find(rule)
			block, values := &configschema.Block{}, map[string]json.RawMessage{}
			if err := errors.Join(json.Unmarshal([]byte(entry.Example), &values), json.Unmarshal(values["schema"], block)); err != nil {
				t.Fatal(err)
			}
			schema, err := objchange.Compile(block)
			if err != nil {
				t.Fatal(err)
			}
			value := func(name string) cty.Value {
				var data any
				if err := json.Unmarshal(values[name], &data); err != nil {
					t.Fatal(err)
				}
				v, err := ctydata.ValueOf(block, data)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			x := tfcheck.Exchange{RPC: request.rpc, TypeName: "test_thing", Schema: schema,
				Config: value("config"), Response: value(request.answer)}
			if request.answer == "proposed" {
				x.Prior, x.Proposed, x.Response = value("prior"), x.Response, value("config")
			}
			_, deferred := values["deferred"]
			x.Deferred, x.DeferralForbidden = deferred, deferred
			found := x.Findings()
			if len(found) != 1 || len(found[0].Violations) != 1 {
				t.Fatalf("the example breaks %v", found)
			}
			v := found[0].Violations[0]
			v.Phase = "" // the rules reference omits it
			if diff := cmp.Diff(entry.Message, v.Error()); diff != "" {
				t.Errorf("message (-document +got):\n%s", diff)
			}
			if v.Severity != entry.Severity {
				t.Errorf("the severity is %s, in the table it is %s", v.Severity, entry.Severity)
			}
		})
	}
}
