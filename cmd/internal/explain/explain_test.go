package explain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/explain"
	"github.com/objchange/objchange/cmd/internal/terminal"
)

const inconsistent = `Error: Provider produced inconsistent result after apply

When applying changes to cloud_server.web["a b"], provider "provider[\"registry.terraform.io/acme/cloud\"]" produced an unexpected new value: .name: was cty.StringVal("Web"), but now cty.StringVal("web").` + bug

// TestStepsBeginWithTheMostUrgent checks that steps contain the address quoted for a shell, and that the most urgent
// step is the first.
func TestStepsBeginWithTheMostUrgent(t *testing.T) {
	for text, want := range map[string]string{
		inconsistent: "If this apply created the object, run `terraform untaint 'cloud_server.web[\"a b\"]'` before anything else.",
		strings.Replace(inconsistent, `["a b"]`, ``, 1):          "If this apply created the object, run `terraform untaint cloud_server.web` before anything else.",
		strings.Replace(inconsistent, `["a b"]`, `["it's"]`, 1):  "If this apply created the object, run `terraform untaint 'cloud_server.web[\"it'\\''s\"]'` before anything else.",
		strings.Replace(inconsistent, `["a b"]`, "[\"`x`\"]", 1): "If this apply created the object, run `terraform untaint ADDRESS` before anything else.",
		`Provider "cloud" planned an invalid value for cloud_server.web.size: planned value cty.NumberIntVal(5) for a non-computed attribute.`: "Set `.size` in the configuration to the value that the provider plans: `5`.",
	} {
		e := explain.Find(text)[0]
		if !strings.HasPrefix(e.Steps[0], want) {
			t.Errorf("%q: %q, want %q", text, e.Steps, want)
		}
	}
}

// TestStepsForADeposedObjectSpareTheNewOne checks that the steps for a deposed object do not touch the new object,
// and end with the report.
func TestStepsForADeposedObjectSpareTheNewOne(t *testing.T) {
	e := explain.Find("After applying a Delete plan, the provider returned a non-null object for cloud_server.web (deposed object 1a2b3c4d). Destroying should always produce a null value")[0]
	if len(e.Steps) != 2 || !strings.HasPrefix(e.Steps[0], "Run `terraform apply` again.") || !strings.HasPrefix(e.Steps[1], "Report it") {
		t.Errorf("%q", e.Steps)
	}
}

// TestFaultNamesTheLegacySDKOnlyIfTheLogDoes checks that an explanation names the legacy SDK only if the log does.
func TestFaultNamesTheLegacySDKOnlyIfTheLogDoes(t *testing.T) {
	e := explain.Find(`[WARN]  Provider "cloud" produced an invalid new value containing null blocks for "cloud_server.web" during refresh`)[0]
	if e.Severity != objchange.Tolerated || strings.Contains(e.Fault, "legacy") || e.SDK != "" {
		t.Errorf("%+v", e)
	}
}

// TestOnlyToleratedErrorsShowTheSDK checks that only tolerated errors show the SDK.
func TestOnlyToleratedErrorsShowTheSDK(t *testing.T) {
	for text, want := range map[string]string{
		inconsistent: "",
		`When applying changes to cloud_server.web, provider "cloud" produced an unexpected new value: Root object was present, but now absent.`:                                                                                                                          "",
		`When expanding the plan for cloud_server.web to include new values learned so far during apply, provider "cloud" produced an invalid new value for .name: was null, but now cty.True.`:                                                                           "",
		`The provider for cloud_token produced an inconsistent result: .user: planned value cty.True for a non-computed attribute.`:                                                                                                                                       "",
		"[WARN]  Provider \"cloud\" produced an invalid plan for cloud_server.web, but we are tolerating it because it is using the legacy plugin SDK.\n    The following problems may be the cause:\n      - .name: planned value cty.True for a non-computed attribute": "SDK v2",
	} {
		if all := explain.Find(text); len(all) != 1 || all[0].SDK != want {
			t.Errorf("%s: %+v, want %q", text, all, want)
		}
	}
}

// TestSimilarErrorsAreExplainedTogether checks that errors with the same resource, rule and phase are explained
// together.
func TestSimilarErrorsAreExplainedTogether(t *testing.T) {
	var b bytes.Buffer
	two := inconsistent + "\n\n" + strings.Replace(inconsistent, ".name", ".label", 1)
	if err := explain.Text(&b, terminal.New(&b, &b), explain.Find(two)); err != nil {
		t.Fatal(err)
	}
	for text, n := range map[string]int{
		`cloud_server.web["a b"]  (registry.terraform.io/acme/cloud)`: 1, "inconsistent-value  apply  .name: planned \"Web\", returned \"web\"": 1,
		"inconsistent-value  apply  .label: planned": 1, "What you can do:": 1, "Report for the provider:": 1, "produced an unexpected new value": 2,
		"see: objchange explain inconsistent-value": 1,
	} {
		if got := strings.Count(b.String(), text); got != n {
			t.Errorf("%d times, not %d: %q in\n%s", got, n, text, b.String())
		}
	}
	markdown := explain.Markdown(explain.Find(two))
	if n := strings.Count(markdown, "**What you can do:**"); n != 1 || strings.Count(markdown, "### ") != 1 {
		t.Errorf("%s", markdown)
	}
	if got := explain.Markdown(nil); got != explain.None+"\n" {
		t.Errorf("no finding: %q", got)
	}
}

// TestMarkdownIsInert checks that no text can end the code block or the report that contains it.
func TestMarkdownIsInert(t *testing.T) {
	hostile := "```\n<img src=x onerror=alert(1)> </details> `"
	text := strings.Replace(inconsistent, `cty.StringVal("Web")`, `cty.StringVal("`+strings.ReplaceAll(hostile, "\n", `\n`)+`")`, 1)
	markdown := explain.Markdown(explain.Find(text))
	fence := ""
	for line := range strings.SplitSeq(markdown, "\n") {
		switch backticks := len(line) - len(strings.TrimLeft(line, "`")); {
		case fence == "" && backticks >= 3:
			fence = line[:backticks]
		case fence != "" && line == fence:
			fence = ""
		case fence == "" && strings.Contains(strings.ReplaceAll(line, "<details><summary>", ""), "<img") && !strings.Contains(line, "``"):
			t.Errorf("not formatted as code: %s", line)
		}
	}
	if fence != "" {
		t.Errorf("a block of code does not end:\n%s", markdown)
	}
}

// TestLongValuesAreShortened checks that a long value is shortened in the message, the sentence and the report.
func TestLongValuesAreShortened(t *testing.T) {
	long := strings.Repeat("secret ", 100)
	e := explain.Find(strings.Replace(inconsistent, `"Web"`, `"`+long+`"`, 1))[0]
	for about, text := range map[string]string{"was": e.Was, "message": e.Message, "sentence": e.Sentence, "report": e.Report} {
		if n := strings.Count(text, "secret"); n == 0 || n > 14 {
			t.Errorf("%s shows %d words of the value: %s", about, n, text)
		}
	}
}

// FuzzFind checks that found addresses, providers and paths occur in the text, and that errors can
// be printed, for any text.
func FuzzFind(f *testing.F) {
	for _, text := range slices.Concat(texts(f, "testdata/rejected.txt"), texts(f, "testdata/ordinary.txt")[:30]) {
		f.Add(text)
		f.Add(boxed(hardWrap(text, 60)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := explain.Find(text)
		for _, e := range all {
			for about, part := range map[string]string{"address": e.Address, "provider": e.Provider, "path": e.Path} {
				if !hasInOrder(letters(text), letters(part)) {
					t.Errorf("the %s %q is not in the text", about, part)
				}
			}
			if e.Rule != "" && e.Rule.Info().Rule == "" && e.Remedy == "" {
				t.Errorf("there is no rule %q", e.Rule)
			}
		}
		var found struct{ Errors []explain.Error }
		printed, err := explain.JSON(all)
		if err == nil {
			err = json.Unmarshal(printed, &found)
		}
		if err != nil || len(found.Errors) != len(all) {
			t.Errorf("%v: %s", err, printed)
		}
		_ = explain.Markdown(all)
		if err := explain.Text(io.Discard, terminal.New(io.Discard, io.Discard), all); err != nil {
			t.Error(err)
		}
	})
}

// hasInOrder reports whether the text has all characters of a part in order. Other characters may
// be between them, because a text may precede each line.
func hasInOrder(text, part string) bool {
	for _, r := range part {
		_, rest, ok := strings.Cut(text, string(r))
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// letters returns the letters and digits of a text.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// BenchmarkFind reads a log of a megabyte with few errors.
func BenchmarkFind(b *testing.B) {
	ordinary := strings.Join(texts(b, "testdata/ordinary.txt"), "\n")
	log := strings.Repeat(ordinary, 1+(1<<20)/len(ordinary)) + inconsistent
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		if n := len(explain.Find(log)); n != 1 {
			b.Fatal(n)
		}
	}
}

// BenchmarkRepeated reads texts in which a part of an error repeats. Their time must be linear.
func BenchmarkRepeated(b *testing.B) {
	for name, part := range map[string]string{
		"path":     `When applying changes to a.b, provider "x" produced an unexpected new value: .name: was `,
		"plan":     `provider "x" planned an invalid value for a.b.c: planned value `,
		"anchor":   `produced an unexpected new value`,
		"list":     `Provider "x" produced an invalid plan for a.b, but we are tolerating it because it is using the legacy plugin SDK. - .a: was `,
		"code":     `cty.ObjectVal(map[string]cty.Value{"a":`,
		"summary":  "x Error: Provider produced invalid plan\n",
		"JSON":     `{"a":{`,
		"identity": "Error: Provider produced invalid identity ",
		"crash":    "the plugin encountered an error, and failed to respond to the ",
	} {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(part, (1<<20)/len(part))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				explain.Find(text)
			}
		})
	}
}
