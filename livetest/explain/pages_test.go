package explain_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/docs"
	"github.com/objchange/objchange/livetest/internal/live"
)

var update = flag.Bool("update", false, "write Terraform's errors into the pages")

// errorsAbout returns Terraform's errors about the broken rule, with the names of the examples in
// the pages. The entries are those of objchange explain for the same text.
func errorsAbout(b live.Breach, tf *live.Terraform, printed []byte, all []errorEntry) (errors []string) {
	rename := strings.NewReplacer(tf.Address(), "cloud_server.web", b.TypeName, "cloud_token",
		live.Registry+"fw", "registry.terraform.io/acme/cloud", live.Registry+"sdk", "registry.terraform.io/acme/cloud", "The fw provider", "The cloud provider")
	for line := range bytes.Lines(printed) {
		var m live.Message
		if json.Unmarshal(line, &m) != nil || !m.Failed() {
			continue // a line of the log, or not an error
		}
		about := func(e errorEntry) bool {
			begin, _, _ := strings.Cut(e.Sentence, " … ") // which replaces the middle of a long value
			return e.Rule == b.Rule && strings.Contains(m.Diagnostic.Summary+m.Diagnostic.Detail, begin)
		}
		if !slices.ContainsFunc(all, about) {
			continue
		}
		detail, _, _ := strings.Cut(m.Diagnostic.Detail, "\n\n")
		errors = append(errors, strings.TrimSpace(rename.Replace("Error: "+m.Diagnostic.Summary+"\n"+detail)))
	}
	return errors
}

// checkPages checks that the page of each rule that a provider can break, and that Terraform
// enforces, contains Terraform's errors, each on one line, because people search for them.
func checkPages(t *testing.T, results []*result) {
	t.Helper()
	errors := map[objchange.Rule][]string{}
	for n, b := range live.Breaches {
		errors[b.Rule] = append(errors[b.Rule], results[n].errors...)
	}
	reported := map[objchange.Rule][]string{}
	for rule, all := range errors {
		if len(all) > 0 {
			reported[rule] = oneOfEach(all)
		}
	}
	written := 0
	for _, page := range docs.Pages() {
		want := reportsBlock.ReplaceAllString(page.Text, "$1")
		for rule, all := range reported {
			section := regexp.MustCompile("(?s)\n## " + string(rule) + "\n.*?```text\n.*?\n```\n").FindString(want)
			if section != "" {
				want = strings.Replace(want, section, section+"\nTerraform reports:\n\n```text\n"+strings.Join(all, "\n\n")+"\n```\n", 1)
				written++
			}
		}
		diff := gocmp.Diff(want, page.Text)
		if diff != "" && *update {
			if err := os.WriteFile("../../docs/rules/"+page.Name+".md", []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		} else if diff != "" {
			t.Errorf("%s: Terraform's errors (-update writes them; -want +got):\n%s", page.Name, diff)
		}
	}
	if written != len(reported) {
		t.Errorf("%d of %d rules have a section", written, len(reported))
	}
	for _, rule := range objchange.Rules() {
		broken := slices.ContainsFunc(live.Breaches, func(b live.Breach) bool {
			return b.Rule == rule && b.Stops() && live.SupportedSince[b.TypeName] == ""
		})
		if broken != (reported[rule] != nil) {
			t.Errorf("%s: Terraform rejects a breach: %t, says %q", rule, broken, reported[rule])
		}
	}
}

// oneOfEach returns the first error of each summary, ordered by summary. Errors with the same
// summary are in random order.
func oneOfEach(all []string) (some []string) {
	first := map[string]string{}
	for _, text := range all {
		first[summaryOf(text)] = min(text, cmp.Or(first[summaryOf(text)], text))
	}
	for _, text := range all {
		if text = first[summaryOf(text)]; !slices.Contains(some, text) {
			some = append(some, text)
		}
	}
	return some
}

// summaryOf returns the first line of an error, without names.
func summaryOf(text string) string {
	summary, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(summary, ".")
}

var reportsBlock = regexp.MustCompile("(?s)(\n```\n)\nTerraform reports:\n\n```text\n.*?\n```\n")
