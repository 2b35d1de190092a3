package explain_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/explain"
)

// errorFields are the fields of an error that the tests compare.
type errorFields struct {
	Rule                              objchange.Rule
	Address, Provider, Path, Was, Now string
	Phase                             objchange.Phase
	Logged                            bool // and not enforced
}

func parse(text string) (all []errorFields) {
	for _, e := range explain.Find(text) {
		logged := e.Severity == objchange.Tolerated
		all = append(all, errorFields{e.Rule, e.Address, e.Provider, e.Path, e.Was, e.Now, e.Phase, logged})
	}
	return all
}

// cloud is the provider in the examples.
const cloud = "registry.terraform.io/acme/cloud"

const bug = "\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker."

func TestErrorsAreFound(t *testing.T) {
	for _, test := range []struct {
		about, text string
		want        []errorFields
	}{
		{"the provider alone", `Error: Provider produced inconsistent result after apply

When applying changes to cloud_server.web, provider "cloud" produced an unexpected new value for .name: was cty.StringVal("a"), but now cty.StringVal("b").` + bug,
			[]errorFields{{"inconsistent-value", "cloud_server.web", "cloud", ".name", `"a"`, `"b"`, "apply", false}}},
		{"a provider configuration of old", `When applying changes to cloud_server.web, provider "module.a.provider.cloud.eu" produced an unexpected new value: Root resource was present, but now absent.`,
			[]errorFields{{"inconsistent-presence", "cloud_server.web", "cloud", "", "", "null", "apply", false}}},
		{"no text before the problem", `When applying changes to cloud_server.web, provider "cloud" produced an unexpected new value for was present, but now absent.` + bug,
			[]errorFields{{"inconsistent-presence", "cloud_server.web", "cloud", "", "", "null", "apply", false}}},
		{"an alias", `When applying changes to module.a[0].cloud_server.web["x"], provider "module.a.provider[\"registry.terraform.io/acme/cloud\"].eu" produced an unexpected new value: .rule[0].tags["env"]: was null, but now cty.StringVal("a").`,
			[]errorFields{{"inconsistent-value", `module.a[0].cloud_server.web["x"]`, cloud, `.rule[0].tags["env"]`,
				"null", `"a"`, "apply", false}}},
		{"a deposed object", `When applying changes to cloud_server.web (deposed object 1a2b3c4d), provider "registry.terraform.io/acme/cloud" produced an unexpected new value: .name: was cty.StringVal("a"), but now null.`,
			[]errorFields{{"inconsistent-value", "cloud_server.web", cloud, ".name", `"a"`, "null", "apply", false}}},
		{"keys with dots and spaces", `Provider "registry.terraform.io/acme/cloud" planned an invalid value for module.net["eu.west-1"].cloud_server.web["a b: c"].config[0].name: planned value cty.StringVal("x") does not match config value cty.StringVal("y").` + bug,
			[]errorFields{{"plan-not-config", `module.net["eu.west-1"].cloud_server.web["a b: c"]`, cloud, ".config[0].name",
				`"y"`, `"x"`, "plan", false}}},
		{"values of all kinds", `Provider "registry.terraform.io/acme/cloud" planned an invalid value for cloud_server.web.disks: planned value cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"size":cty.NumberIntVal(-1), "on":cty.True, "n":cty.NullVal(cty.Map(cty.String))})}) does not match config value cty.UnknownVal(cty.List(cty.Object(map[string]cty.Type{"size":cty.Number}))).RefineNotNull() nor prior value cty.ListValEmpty(cty.EmptyObject).` + bug,
			[]errorFields{{"plan-not-config", "cloud_server.web", cloud, ".disks",
				"(unknown)", `[{n = null, on = true, size = -1}]`, "plan", false}}},
		{"a redacted value", `When applying changes to cloud_server.web, provider "registry.terraform.io/acme/cloud" produced an unexpected new value: .name: was (sensitive value), but now (sensitive value).` + bug,
			[]errorFields{{"inconsistent-value", "cloud_server.web", cloud, ".name",
				"(sensitive value)", "(sensitive value)", "apply", false}}},
		{"a value that a pipeline masks", `When applying changes to cloud_server.web, provider "registry.terraform.io/acme/cloud" produced an unexpected new value: .name: was cty.StringVal("***"), but now ***.` + bug,
			[]errorFields{{"inconsistent-value", "cloud_server.web", cloud, ".name", `"***"`, "***", "apply", false}}},
		{"a sensitive attribute", `When applying changes to cloud_server.web, provider "registry.terraform.io/acme/cloud" produced an unexpected new value: .token: inconsistent values for sensitive attribute.` + bug,
			[]errorFields{{"inconsistent-sensitive", "cloud_server.web", cloud, ".token", "", "", "apply", false}}},
		{"an element of a set", `After the apply operation, the provider still indicated an unknown value for module.a.cloud_server.web.ports[...].id. All values must be known after apply, so this is always a bug in the provider.`,
			[]errorFields{{"state-unknown", "module.a.cloud_server.web", "", ".ports[*].id", "", "(unknown)", "apply", false}}},
		{"a set of unknown elements", `After the apply operation, the provider still indicated an unknown value for cloud_server.web[0].zones[(not yet known)]. All values must be known after apply`,
			[]errorFields{{"state-unknown", "cloud_server.web[0]", "", ".zones[*]", "", "(unknown)", "apply", false}}},
		{"a final plan", `Error: Provider produced inconsistent final plan

When expanding the plan for cloud_server.web to include new values learned so far during apply, provider "registry.terraform.io/acme/cloud" produced an invalid new value for .tags_all: new element "k" has appeared.` + bug,
			[]errorFields{{"inconsistent-key", "cloud_server.web", cloud, ".tags_all", "", "", "replan", false}}},
		{"another action", `When expanding the plan for cloud_server.web to include new values learned so far during apply, provider "registry.terraform.io/acme/cloud" changed the planned action from Update to DeleteThenCreate.`,
			[]errorFields{{"action-changed", "cloud_server.web", cloud, "", "Update", "DeleteThenCreate", "replan", false}}},
		{"a key of a map of blocks", `Provider "registry.terraform.io/acme/cloud" planned an invalid value for cloud_server.web.disk["k1"]: block key "k1" from plan is not present in config.`,
			[]errorFields{{"plan-key", "cloud_server.web", cloud, ".disk", "", "", "plan", false}}},
		{"a path of replacement", `Provider "registry.terraform.io/acme/cloud" has indicated "requires replacement" on cloud_server.web for a non-existent attribute path cty.Path{cty.GetAttrStep{Name:"rule"}, cty.IndexStep{Key:cty.NumberIntVal(0)}, cty.GetAttrStep{Name:"port"}}.` + bug,
			[]errorFields{{"replace-path", "cloud_server.web", cloud, ".rule[0].port", "", "", "plan", false}}},
		{"a write-only attribute", `Provider "provider[\"registry.terraform.io/acme/cloud\"]" returned a value for the write-only attribute "cloud_server.web.login[0].key_wo" during planning. Write-only attributes cannot be read back from the provider.`,
			[]errorFields{{"write-only-not-null", "cloud_server.web", cloud, ".login[0].key_wo", "", "", "plan", false}}},
		{"an ephemeral resource", "│ Error: Provider produced invalid ephemeral resource instance\n│ \n│   with ephemeral.cloud_token.web,\n│   on main.tf line 1, in ephemeral \"cloud_token\" \"web\":\n│    1: ephemeral \"cloud_token\" \"web\" {\n│ \n│ The provider for cloud_token produced an inconsistent result: .user: planned\n│ value cty.StringVal(\"b\") does not match config value cty.StringVal(\"q\").",
			[]errorFields{{"plan-not-config", "ephemeral.cloud_token.web", "", ".user", `"q"`, `"b"`, "read", false}}},
		{"a type", `The cloud provider upgraded the state for cloud_server.web from a previous version, but produced an invalid result: .size: number required.`,
			[]errorFields{{"type-mismatch", "cloud_server.web", "cloud", ".size", "", "", "upgrade", false}}},
		{"a data source", `Provider "provider[\"registry.opentofu.org/acme/cloud\"]" produced a null value for data.cloud_image.it[0].` + bug,
			[]errorFields{{"data-null", "data.cloud_image.it[0]", "registry.opentofu.org/acme/cloud", "",
				"", "", "read", false}}},
		{"a log", `2026-01-02T03:04:05.678Z [WARN]  Provider "registry.terraform.io/acme/cloud" produced an invalid plan for cloud_server.web, but we are tolerating it because it is using the legacy plugin SDK.
    The following problems may be the cause of any confusing errors from downstream operations:
      - .name: planned value cty.StringVal("A") does not match config value cty.StringVal("a")
      - planned for absence but config wants existence
2026-01-02T03:04:05.679Z [WARN]  Provider "provider[\"registry.terraform.io/acme/cloud\"]" produced an unexpected new value for cloud_server.db, but we are tolerating it because it is using the legacy plugin SDK.
    The following problems may be the cause of any confusing errors from downstream operations:
      - .tags: element "k" has vanished
2026-01-02T03:04:05.680Z [ERROR] vertex "cloud_server.web" error: Provider produced inconsistent final plan
- .other: was null, but now cty.True`,
			[]errorFields{
				{"plan-not-config", "cloud_server.web", cloud, ".name", `"a"`, `"A"`, "plan", true},
				{"plan-absent", "cloud_server.web", cloud, "", "", "null", "plan", true},
				{"inconsistent-key", "cloud_server.db", cloud, ".tags", "", "", "apply", true},
			}},
		{"a write-only attribute in an upgrade", `While attempting to upgrade state of resource cloud_server.web[0], the provider "cloud" returned a value for the write-only attribute "cloud_server.web[0].key_wo". Write-only attributes cannot be read back from the provider.`,
			[]errorFields{{"write-only-not-null", "cloud_server.web[0]", "cloud", ".key_wo", "", "", "upgrade", false}}},
		{"a write-only attribute in an import", `While attempting to import with ID x, the provider "provider[\"registry.terraform.io/acme/cloud\"]" returned a value for the write-only attribute "cloud_server.web.key_wo". Write-only attributes cannot be read back from the provider.`,
			[]errorFields{{"write-only-not-null", "cloud_server.web", cloud, ".key_wo", "", "", "import", false}}},
		{"a write-only attribute of an ephemeral resource", `The provider for cloud_token produced an inconsistent result: .key_wo: planned value for write-only attribute is not null.`,
			[]errorFields{{"write-only-not-null", "", "", ".key_wo", "", "", "read", false}}},
		{"an import without an object", "Error: Import returned no resources\n\nWhile attempting to import with ID x, the providerreturned no instance states.",
			[]errorFields{{"import-count", "", "", "", "", "", "import", false}}},
		{"a deferral", "│ Error: Invalid Deferred Response\n│ \n│   with cloud_server.web,\n│   on main.tf line 1, in resource \"cloud_server\" \"web\":\n│    1: resource \"cloud_server\" \"web\" {\n│ \n│ Provider returned a deferred response but the Terraform request did not\n│ indicate support for deferred actions.",
			[]errorFields{{"deferral", "cloud_server.web", "", "", "", "", "plan", false}}},
		{"redacted names", `When applying changes to module.***.aws_server.<name>[0], provider <redacted> produced an unexpected new value: .x: was null, but now cty.True.`,
			[]errorFields{{"inconsistent-value", "module.***.aws_server.<name>[0]", "", ".x", "null", "true", "apply", false}}},
		{"a summary alone", "Error: Provider produced inconsistent result after apply",
			[]errorFields{{"", "", "", "", "", "", "apply", false}}},
		{"a value that is cut off", `When applying changes to cloud_server.web, provider "registry.terraform.io/acme/cloud" produced an unexpected new value: .rule: planned set element cty.ObjectVal(map[string]cty.Value{"a":cty.String`,
			[]errorFields{{"inconsistent-set-element", "cloud_server.web", cloud, ".rule", "", "", "apply", false}}},
		{"a sentence that is cut off", `Provider "registry.terraform.io/acme/cloud" planned an invalid value for cloud_server.web.name: planned value cty.StringVal("a") does not match config val`,
			[]errorFields{{"plan-not-config", "cloud_server.web", cloud, ".name", "", `"a"`, "plan", false}}},
		{"another one", `Provider "registry.terraform.io/acme/cloud" planned an invalid value for cloud_server.web.name: planned value cty.StringVal("a") does not match config value cty.Str`,
			[]errorFields{{"plan-not-config", "cloud_server.web", cloud, ".name", "", `"a"`, "plan", false}}},
		{"a log in one line", `[WARN]  Provider "registry.terraform.io/acme/cloud" produced an invalid plan for cloud_server.web, but we are tolerating it because it is using the legacy plugin SDK. The following problems may be the cause of any confusing errors from downstream operations: - .name: planned value cty.StringVal("-.a") for a non-computed attribute - .rule: block count in plan (1) disagrees with count in config (0)`,
			[]errorFields{
				{"plan-not-computed", "cloud_server.web", cloud, ".name", "null", `"-.a"`, "plan", true},
				{"plan-count", "cloud_server.web", cloud, ".rule", "0", "1", "plan", true},
			}},
		{"words about it", `The provider produced an inconsistent result after apply, I think.`, nil},
		{"nothing", "", nil},
	} {
		if diff := cmp.Diff(test.want, parse(test.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.about, diff)
		}
	}
}

// TestErrorsAreFoundInJSON checks that errors are found at any place in JSON.
func TestErrorsAreFoundInJSON(t *testing.T) {
	detail := `When applying changes to cloud_server.web, provider "provider[\"registry.terraform.io/acme/cloud\"]" produced an unexpected new value: .name: was cty.StringVal("a"), but now cty.StringVal("b").` + bug
	quoted, err := json.Marshal(detail)
	if err != nil {
		t.Fatal(err)
	}
	diagnostic := `{"severity": "error", "summary": "Provider produced inconsistent result after apply", "detail": ` + string(quoted) + `, "address": "cloud_server.web"}`
	want := []errorFields{{"inconsistent-value", "cloud_server.web", cloud, ".name", `"a"`, `"b"`, "apply", false}}
	for about, text := range map[string]string{
		"a line":              `{"@level":"error","@message":"Error: Provider produced inconsistent result after apply","type":"diagnostic","diagnostic":` + diagnostic + "}\n",
		"lines and a time":    "2026-01-02T03:04:05Z {\"@level\":\"info\",\"@message\":\"Terraform 1.11.4\"}\n2026-01-02T03:04:05Z " + `{"@level":"error","diagnostic":` + diagnostic + "}\nand more",
		"several diagnostics": `{"format_version": "1.0", "diagnostics": [` + "\n" + diagnostic + "\n]}",
		"a message":           `{"@level":"error","@message":` + string(quoted) + "}",
		"a piece":             `"message": ` + string(quoted) + `, "more": `,
		"a broken line":       `{"@message": "x", "detail": ` + string(quoted)[:len(quoted)-2],
	} {
		if diff := cmp.Diff(want, parse(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", about, diff)
		}
	}
	warning := strings.Replace(diagnostic, `"error"`, `"warning"`, 1)
	if got := parse(`{"diagnostic": ` + warning + `}`); got != nil {
		t.Errorf("a warning is found: %v", got)
	}
}

// TestEqualErrorsAtOnePathAreFoundOnce checks that different errors at one path are found, and equal errors only
// once.
func TestEqualErrorsAtOnePathAreFoundOnce(t *testing.T) {
	const head = `When applying changes to a_b.c, provider "provider[\"registry.terraform.io/x/a\"]" produced an unexpected new value: .x: `
	gone, new := head+`planned set element cty.StringVal("a") does not correlate with any element in actual.`, head+`actual set element cty.StringVal("c") does not correlate with any element in plan.`
	const summary = "Error: Provider produced inconsistent result after apply\n\n"
	want := []errorFields{
		{"inconsistent-set-element", "a_b.c", "registry.terraform.io/x/a", ".x", `"a"`, "", "apply", false},
		{"inconsistent-set-element", "a_b.c", "registry.terraform.io/x/a", ".x", "", `"c"`, "apply", false},
	}
	if diff := cmp.Diff(want, parse(summary+gone+bug+"\n\n"+summary+new+bug+"\n\n"+summary+gone+bug)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestErrorThatIsCutOffIsFoundBesideOthers checks that an error that is cut off is found beside others, and only
// once.
func TestErrorThatIsCutOffIsFoundBesideOthers(t *testing.T) {
	const summary = "Error: Provider produced inconsistent result after apply\n\n"
	whole := `When applying changes to a_b.c, provider "x" produced an unexpected new value: .x: was null, but now cty.True.`
	cut := `When applying changes to a_b.d, provider "x" produced an unexpected new va`
	want := []errorFields{
		{"inconsistent-value", "a_b.c", "x", ".x", "null", "true", "apply", false},
		{"", "a_b.d", "x", "", "", "", "apply", false},
	}
	if diff := cmp.Diff(want, parse(summary+whole+bug+"\n\n"+summary+cut)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for n := range cut {
		if n < len("When applying changes to a_b.d, provider") {
			continue
		}
		if got := parse(summary + cut[:n]); len(got) != 1 || got[0].Address != "a_b.d" {
			t.Errorf("%q: %+v", cut[:n], got)
		}
	}
}

// TestFindNothingInProse checks that a text that mentions errors has no errors.
func TestFindNothingInProse(t *testing.T) {
	for _, text := range []string{
		"* resource/aws_x: Fix \"Provider produced inconsistent result after apply\" when `name` is set ([#123](https://example.com))",
		"Warning: Provider produced inconsistent result after apply? see https://example.com",
		`{"title":"Provider produced invalid plan in aws_x","state":"open"}`,
	} {
		if got := parse(text); got != nil {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestCodeOfValuesIsNoDecoration checks that text in the code of values is not mistaken for decorations of lines.
func TestCodeOfValuesIsNoDecoration(t *testing.T) {
	long := strings.Repeat("a", 300)
	for code, want := range map[string]string{
		`cty.StringVal("say “hi” now")`:              `"say “hi” now"`,
		`cty.StringVal("A &quot;b&quot; &gt; c")`:    `"A &quot;b&quot; &gt; c"`,
		`cty.StringVal("\x1b[31mred\x1b[0m")`:        `"\x1b[31mred\x1b[0m"`,
		`cty.StringVal("<b>x</b>")`:                  `"<b>x</b>"`,
		`cty.StringVal("` + long + `X` + long + `")`: "",
	} {
		text := `When applying changes to a_b.c, provider "x" produced an unexpected new value: .x: was ` + code + `, but now ` + strings.Replace(code, "X", "Y", 1) + `.`
		got := parse(text)
		if len(got) != 1 || want != "" && got[0].Was != want || want == "" && (got[0].Was == got[0].Now || len(got[0].Was) > 120) {
			t.Errorf("%s: %+v", code, got)
		}
	}
}

// TestErrorsAreFoundInDistortedText checks that the same errors are found in a text after each distortion.
func TestErrorsAreFoundInDistortedText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range texts(t, "testdata/rejected.txt") {
		original := parse(text)
		if len(original) != 1 || original[0].Rule == "" {
			t.Fatalf("%v in\n%s", original, text)
		}
		for _, d := range distortions {
			pasted := d.of(text, r)
			want, got := original, parse(pasted)
			if strings.Contains(d.name, "wrapped anywhere") { // a line break may be within a value
				want, got = withoutSpace(want), withoutSpace(got)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-original +pasted):\n%s%s", d.name, diff, pasted)
			}
		}
	}
}

// withoutSpace returns the errors without the white space in their fields.
func withoutSpace(all []errorFields) (dense []errorFields) {
	remove := strings.NewReplacer(" ", "")
	for _, e := range all {
		e.Address, e.Path, e.Was, e.Now = remove.Replace(e.Address), remove.Replace(e.Path), remove.Replace(e.Was), remove.Replace(e.Now)
		dense = append(dense, e)
	}
	return dense
}

// TestEachErrorIsFoundOnce checks that each of several errors is found once.
func TestEachErrorIsFoundOnce(t *testing.T) {
	all := texts(t, "testdata/rejected.txt")
	var want []errorFields
	for _, text := range all {
		want = append(want, parse(text)...)
	}
	for _, several := range []string{strings.Join(all, "\n\n"), strings.Join(append(all, all...), "\n\n"), boxed(strings.Join(all, "\n\n"))} {
		if diff := cmp.Diff(want, parse(several)); diff != "" {
			t.Errorf("messages in one text (-want +got):\n%s", diff)
		}
	}
}

// TestOtherErrorsAreIgnored checks that other errors of Terraform are ignored.
func TestOtherErrorsAreIgnored(t *testing.T) {
	all := texts(t, "testdata/ordinary.txt")
	if len(all) < 50 {
		t.Errorf("there are %d texts", len(all))
	}
	for _, text := range all {
		if got := parse(text); got != nil {
			t.Errorf("%v is found in\n%s", got, text)
		}
	}
}

var separator = regexp.MustCompile(`(?m)^-- .* --\n`)

// texts returns the texts in a file, without their names.
func texts(t testing.TB, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return separator.Split(string(text), -1)[1:]
}
