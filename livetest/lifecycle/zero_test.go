package lifecycle_test

import (
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/objchange/objchange/livetest/sdkprovider"
	"github.com/objchange/objchange/tfcheck"
)

// plainConfigs contain fewer and fewer values, to make the SDK plan empty values for removed
// ones.
var plainConfigs = []map[string]any{
	{
		"name": "a", "tags": env, "settings": []any{map[string]any{"days": 7}},
		"rule": []any{map[string]any{"prefix": "a"}, map[string]any{"prefix": "b", "action": "drop"}},
	},
	{"name": "a", "settings": []any{map[string]any{"versioned": false}}, "rule": []any{map[string]any{"prefix": "a"}}},
	{"name": "a"},
}

// plainBlocks are plainConfigs in Terraform's language.
var plainBlocks = []string{
	`tags = { env = "test" }
	settings { days = 7 }
	rule { prefix = "a" }
	rule {
		prefix = "b"
		action = "drop"
	}`,
	`settings { versioned = false }
	rule { prefix = "a" }`,
	``,
}

// accept runs an acceptance test of a resource of the SDK.
func accept(t *testing.T, report tfcheck.Report, typeName string, blocks []string, fails *regexp.Regexp) {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to test with")
	}
	t.Setenv("TF_ACC", "1")
	p, _ := sdkprovider.New() // one cloud for the whole test
	var steps []acceptance.TestStep
	for _, block := range blocks {
		config := fmt.Sprintf("resource %q \"it\" {\n\tname = \"a\"\n\t%s\n}", typeName, block)
		steps = append(steps, acceptance.TestStep{Config: config, ExpectError: fails})
	}
	acceptance.Test(t, acceptance.TestCase{
		ProtoV5ProviderFactories: tfcheck.Factories5(map[string]func() (tfprotov5.ProviderServer, error){
			"sdk": func() (tfprotov5.ProviderServer, error) { return p.GRPCProvider(), nil },
		}, report),
		Steps: steps,
	})
}

// TestAccRejectOfTheSDK checks that Terraform passes zero values with RejectAll, but fails for a
// fault that it would tolerate. With Reject it tolerates both, and the test fails because of a
// plan that is not empty.
func TestAccRejectOfTheSDK(t *testing.T) {
	accept(t, tfcheck.RejectAll, "sdk_plain", plainBlocks, nil)
	accept(t, tfcheck.Reject, "sdk_inconsistent_value", []string{""}, regexp.MustCompile("plan was not empty"))
	accept(t, tfcheck.RejectAll, "sdk_inconsistent_value", []string{""},
		regexp.MustCompile(`(?s)Provider produced inconsistent result after apply.*with sdk_inconsistent_value\.it,.*line \d+.*inconsistent-value.*  see: https://\S+/rules/apply\.md#inconsistent-value`))
}

// A listener is a testing.TB that stores messages.
type listener struct {
	testing.TB
	texts  []string // through Output
	failed []string // through Errorf
}

func (l *listener) Errorf(f string, args ...any) {
	l.failed = append(l.failed, fmt.Sprintf(f, args...))
}

func (l *listener) Output() io.Writer { return l }
func (l *listener) Write(text []byte) (int, error) {
	l.texts = append(l.texts, string(text))
	return len(text), nil
}

// TestAccFailTellsOnce checks that Fail reports a finding once, although Terraform plans again
// before it applies. The message has no line of a test.
func TestAccFailTellsOnce(t *testing.T) {
	l := &listener{TB: t}
	fails := regexp.MustCompile("plan was not empty")
	accept(t, tfcheck.Fail(l), "sdk_plan_set_element", []string{`rule { port = "http" }`}, fails)
	var sets []string
	for _, text := range l.texts {
		if head, message, _ := strings.Cut(text, "\n"); strings.Contains(message, "plan-set-element") {
			sets = append(sets, head)
		}
	}
	want := []string{"PlanResourceChange of sdk_plan_set_element (unchecked)"}
	if diff := cmp.Diff(want, sets); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
}
