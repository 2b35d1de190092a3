//lint:file-ignore SA1019 the legacy type system is tested

package lifecycle_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfconv"
)

// imports, moves, upgrades and reads are the RPCs of the responses that the tests below change.
const (
	imports  = live.ImportState
	moves    = "MoveResourceState"
	upgrades = live.Upgrade
	reads    = live.Read
)

// rejections lists faults of RPCs and the summary of Terraform's error. If the last field is true,
// the command "terraform import" has no such error, and only an import block is tested.
var rejections = []struct {
	rpc       string
	rule      objchange.Rule
	change    change
	summary   string
	onlyBlock bool
}{
	{imports, objchange.RuleWriteOnlyNotNull, set("key_wo", cty.StringVal("x")), "Import returned a non-null value for a write-only attribute", false},
	{imports, objchange.RuleImportCount, null, "Cannot import non-existent remote object", false},
	{imports, objchange.RuleImportCount, null, "Import returned null resource", true},
	{imports, objchange.RuleImportCount, times(0), "Import returned no resources", true},
	{imports, objchange.RuleImportCount, times(2), "Multiple import states not supported", true},
	{imports, objchange.RuleDeferral, putOff, "Invalid Deferred Response", false},
	{moves, objchange.RuleWriteOnlyNotNull, set("key_wo", cty.StringVal("x")), "Provider returned invalid value", false},
	{moves, objchange.RuleStateUnknown, set("id", cty.UnknownVal(cty.String)), "Provider returned invalid value", false},
	{moves, objchange.RuleTypeMismatch, noAttributes, "Provider returned invalid value", false},
	{upgrades, objchange.RuleWriteOnlyNotNull, set("key_wo", cty.StringVal("x")), "Invalid resource state upgrade", false},
	{upgrades, objchange.RuleStateUnknown, set("id", cty.UnknownVal(cty.String)), "Invalid resource state upgrade", false},
	{reads, objchange.RuleWriteOnlyNotNull, set("key_wo", cty.StringVal("x")), "Provider produced invalid object", false},
	{reads, objchange.RuleDeferral, putOff, "Invalid Deferred Response", false},
	{live.Apply, objchange.RuleInconsistentPresence, null, "Provider returned invalid result object after apply", false}, // planned as null, too
}

// TestFindingsHaveTerraformsSummary checks that the findings for faults that no breach has, and the
// errors of Reject, contain the summary of Terraform's error.
func TestFindingsHaveTerraformsSummary(t *testing.T) {
	for _, r := range rejections {
		t.Run(r.rpc+" "+r.summary, func(t *testing.T) {
			t.Parallel()
			faulty := func(report tfcheck.Report) []string {
				p := live.ProviderOf(t, nil, "fw_honest")
				schema := live.Resource(t, p.Driver(t), "fw_honest").Schema()
				nulls, err := tfconv.Encode6(schema.Block().EmptyValue(), schema.ImpliedType())
				if err != nil {
					t.Fatal(err)
				}
				p.Server6 = live.Changed(p.Server6, func(response any) {
					switch response := response.(type) {
					case *tfprotov6.MoveResourceStateResponse:
						*response.TargetState = *nulls
					case *tfprotov6.PlanResourceChangeResponse:
						if r.rpc == live.Apply { // Core accepts a plan of null from the legacy SDK only
							response.UnsafeToUseLegacyTypeSystem = true
							null(response)
						}
					case *tfprotov6.ApplyResourceChangeResponse:
						response.UnsafeToUseLegacyTypeSystem, response.Diagnostics = r.rpc == live.Apply, nil
					}
					if reflect.TypeOf(response).Elem().Name() == r.rpc+"Response" {
						r.change(response)
					}
				})
				p.Check(report)
				return errorsOf(t, live.NewTerraform(t, p, "fw_honest", nil), r.rpc, r.onlyBlock)
			}
			var found tfcheck.Collector
			if got := faulty(found.Report); !slices.Contains(got, r.summary) {
				t.Errorf("Terraform says %q", got)
			}
			known := slices.ContainsFunc(found.Findings(), func(f tfcheck.Finding) bool {
				return f.Violations[0].Rule == r.rule && slices.Contains(f.Summaries(f.Violations[0]), r.summary)
			})
			if !known {
				t.Errorf("the findings are %v", found.Findings())
			}
			if got := faulty(tfcheck.Reject); !slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, r.summary) }) {
				t.Errorf("with Reject, Terraform says %q", got)
			}
		})
	}
}

// errorsOf returns the summaries of Terraform's errors in a run that calls the RPC.
func errorsOf(t *testing.T, tf *live.Terraform, rpc string, block bool) (summaries []string) {
	t.Helper()
	full, id := live.Full("fw_honest"), "fw_honest-1"
	var r live.Report
	switch {
	case rpc == moves:
		tf.WriteJSON(t, "main.tf.json", map[string]any{"resource": map[string]any{"terraform_data": map[string]any{"old": map[string]any{}}}})
		tf.Run(t, "apply", "-auto-approve")
		tf.WriteJSON(t, "main.tf.json", map[string]any{
			"resource": map[string]any{"fw_honest": map[string]any{"it": live.Plain(full)}},
			"moved":    map[string]any{"from": "terraform_data.old", "to": tf.Address()},
		})
		r = tf.Run(t, "plan")
	case rpc == live.Apply:
		r = tf.Command(t, live.Do(live.Applying, full, ""), "")
	case rpc != imports:
		tf.Command(t, live.Do(live.Applying, full, ""), "")
		r = tf.Run(t, "plan")
	case block:
		r = tf.Command(t, live.Do(live.Adopting, full, ""), id)
	default:
		r = tf.Command(t, live.Do(live.Importing, full, ""), id)
	}
	for _, m := range r.Messages {
		if m.Failed() {
			summaries = append(summaries, m.Diagnostic.Summary)
		}
	}
	return summaries
}

// A change edits a response.
type change func(response any)

// stateIn returns the object of a response.
func stateIn(response any) *tfprotov6.DynamicValue {
	switch r := response.(type) {
	case *tfprotov6.ImportResourceStateResponse:
		return r.ImportedResources[0].State
	case *tfprotov6.MoveResourceStateResponse:
		return r.TargetState
	case *tfprotov6.UpgradeResourceStateResponse:
		return r.UpgradedState
	case *tfprotov6.PlanResourceChangeResponse:
		return r.PlannedState
	case *tfprotov6.ApplyResourceChangeResponse:
		return r.NewState
	}
	return response.(*tfprotov6.ReadResourceResponse).NewState
}

// set sets an attribute of the object.
func set(name string, to cty.Value) change {
	return func(response any) { *stateIn(response) = *live.Setting(name, to, stateIn(response)) }
}

// null removes the object, and noAttributes removes its attributes.
func null(response any)         { *stateIn(response) = live.Null }
func noAttributes(response any) { *stateIn(response) = live.Empty }

// times imports the object several times.
func times(n int) change {
	return func(response any) {
		r := response.(*tfprotov6.ImportResourceStateResponse)
		r.ImportedResources = slices.Repeat(r.ImportedResources, n)
	}
}

func putOff(response any) {
	deferred := reflect.ValueOf(response).Elem().FieldByName("Deferred")
	deferred.Set(reflect.ValueOf(&tfprotov6.Deferred{Reason: tfprotov6.DeferredReasonAbsentPrereq}))
}
