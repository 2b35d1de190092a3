package audit_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

var update = flag.Bool("update", false, "write what golden files expect anew")

const (
	made     = "../../testdata/audit"                 // by hand: all that plans can have, and nothing wrong
	recorded = "../../../../testdata/recordings/time" // by Terraform
)

// The recorded runs, each plan with the state after it, in every format.
func TestRecordings(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	for _, run := range []string{"1-create", "2-noop", "3-update", "4-replace", "5-destroy"} {
		t.Run(run, func(t *testing.T) {
			plan, state := readFile(t, filepath.Join(recorded, run, "plan.json")), readFile(t, filepath.Join(recorded, run, "state.json"))
			r, err := runAudit(plan, state, schemas)
			if err != nil {
				t.Fatal(err)
			}
			for _, format := range report.Formats() {
				golden(t, run+"."+format, written(t, r, report.Format(format)))
			}
		})
	}
}

// The plan of one run with the state of another broke its promises.
func TestWrongState(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	r, err := runAudit(
		readFile(t, filepath.Join(recorded, "4-replace", "plan.json")),
		readFile(t, filepath.Join(recorded, "2-noop", "state.json")), schemas)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range report.Formats() {
		golden(t, "wrong-state."+format, written(t, r, report.Format(format)))
	}
}

// What there is in plans: modules, count and for_each keys, deposed objects,
// data sources, imports, moves and removals.
func TestMade(t *testing.T) {
	schemas := readSchemas(t, filepath.Join(made, "schemas.json"))
	r, err := runAudit(readFile(t, filepath.Join(made, "plan.json")), readFile(t, filepath.Join(made, "state.json")), schemas)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "made.text", written(t, r, report.Text))
	if r.Wrong(report.Options{FailOn: report.FailOnAll}) {
		t.Error("there are findings")
	}
	r, err = runAudit(readFile(t, filepath.Join(made, "plan.json")), nil, schemas)
	if err != nil || r.Wrong(report.Options{FailOn: report.FailOnAll}) {
		t.Errorf("the plan alone: %v, %v", r, err)
	}
}

// Each row breaks the documents in one way, and broken.golden has what is found.
// The way into a document goes by names, indexes and addresses; what is set to
// nothing is removed.
func TestBroken(t *testing.T) {
	type edit struct{ where, value string }
	const (
		web   = "plan resource_changes acme_server.web change "
		fresh = "plan resource_changes acme_server.new change "
		same  = "plan resource_changes acme_server.count[0] change "
		gone  = "plan resource_changes acme_server.count[1] change "
		other = "plan resource_changes 5 change " // of acme_server.replaced

		later    = "plan resource_changes data.acme_image.later "
		planned  = "plan planned_values root_module resources acme_server.web values "
		prior    = "plan prior_state values root_module resources acme_server.web values "
		state    = "state values root_module resources "
		settings = "plan configuration root_module resources acme_server.web expressions "
	)
	const noteDeferred = `[{"reason": "deferred_prereq", "resource_change": {"address": "acme_note.untargeted", "mode": "managed", "type": "acme_note", "provider_name": "registry.terraform.io/acme/cloud"}}]`
	tests := []struct {
		name  string
		edits []edit
	}{
		// Values and the schema.
		{"before is of the wrong type", []edit{{web + "before size", `"2"`}}},
		{"before has an attribute too many", []edit{{web + "before nmae", `"web"`}}},
		{"before lacks an attribute", []edit{{web + "before on", ""}}},
		{"after lacks an attribute that is not unknown", []edit{{web + "after on", ""}}},
		{"a block lacks an attribute", []edit{{web + "before disk 0 device", ""}, {state + "acme_server.web values disk 1 device", ""}, {state + "acme_server.web values rule 0 id", ""}}},
		{"a block lacks an attribute that is not unknown", []edit{{web + "after disk 0 device", ""}, {web + "after timeouts", `{}`}}},
		{"a nested attribute is lacking", []edit{{web + "after nic 0 ip", ""}, {planned + "nic 0 net", ""}}},
		{"after is no object", []edit{{web + "after", `[1]`}}},
		{"after has a block of the wrong type", []edit{{web + "after disk 0", `{"size": true, "device": null}`}}},
		{"after has a wrong key in sensitive tags", []edit{{web + "after tags", `{"hush": []}`}, {web + "after_sensitive tags", `true`}}},
		{"after has a number beyond all reason", []edit{{web + "after size", `1e99999`}}},
		{"after_unknown is a string", []edit{{web + "after_unknown", `"all"`}}},
		{"after_unknown has what is known", []edit{{web + "after_unknown name", `true`}}},
		{"after_unknown has another shape", []edit{{web + "after_unknown disk", `{"device": true}`}}},
		{"after shows a write-only attribute", []edit{{web + "after password", `"hush"`}}},
		{"before shows a write-only attribute", []edit{{web + "before password", `"hush"`}}},

		// Actions.
		{"an update is called a no-op", []edit{{web + "actions", `["no-op"]`}}},
		{"a no-op is called an update", []edit{{same + "actions", `["update"]`}}},
		{"a no-op is called an update, since something is sensitive now", []edit{{same + "actions", `["update"]`}, {same + "after_sensitive", `{"name": true}`}}},
		{"a no-op is called an update, and nothing is sensitive before and after", []edit{{same + "actions", `["update"]`}, {same + "before_sensitive", `{"token": true, "disk": [false]}`}, {same + "after_sensitive", `{"name": false, "token": true, "tags": {}}`}}},
		{"something is sensitive after a no-op", []edit{{same + "before_sensitive", `{"disk": []}`}, {same + "after_sensitive", `{"name": true, "disk": []}`}}},
		{"a no-op is not wholly known", []edit{{same + "after id", ""}, {same + "after_unknown", `{"id": true}`}}},
		{"a create is called a replacement", []edit{{fresh + "actions", `["delete", "create"]`}}},
		{"a delete is called a create", []edit{{gone + "actions", `["create"]`}}},
		{"a managed resource is read", []edit{{web + "actions", `["read"]`}}},
		{"there is no such action", []edit{{web + "actions", `["explode"]`}}},
		{"there are no actions", []edit{{web + "actions", ""}}},
		{"nothing is forgotten", []edit{{"plan resource_changes acme_server.let change before", `null`}}},

		// Paths that require replacement.
		{"a replace path leads nowhere", []edit{{other + "replace_paths", `[["image"], ["nmae"]]`}}},
		{"a replace path leads into nothing", []edit{{other + "replace_paths", `[["image"], ["disk", 3, "size"]]`}}},
		{"nothing differs at a replace path", []edit{{other + "replace_paths", `[["image"], ["name"]]`}}},
		{"no replace path is left", []edit{{other + "replace_paths", ""}}},
		{"a replace path is no path", []edit{{other + "replace_paths", `["image", [{}]]`}}},
		{"an update has replace paths", []edit{{web + "replace_paths", `[["name"]]`}}},
		{"nothing differs at a replace path into a map", []edit{
			{other + "replace_paths", `[["image"], ["tags", "hush"], ["labels", "secret"], ["tags", "hushed"]]`},
			{other + "before tags", `{"hush": "x"}`}, {other + "after tags", `{"hush": "x"}`},
			{other + "before labels", `{"secret": "x"}`}, {other + "after labels", `{"secret": "x"}`},
			{other + "after_sensitive", `{"tags": true, "labels": true}`},
			{"plan prior_state", ""}, {"plan planned_values", ""},
		}},
		{"a replace path into a set is one to the set", []edit{{web + "replace_paths", `[["rule", 0, "port"]]`}}},

		// Configuration.
		{"a computed-only attribute is configured", []edit{{settings + "id", `{"constant_value": "i-1"}`}}},
		{"a computed-only attribute is configured by reference", []edit{{settings + "id", `{"references": ["var.id"]}`}}},
		{"a computed-only attribute is null", []edit{{settings + "id", `{}`}}},
		{"a computed-only attribute of a block is configured", []edit{{settings + "disk 1 device", `{"constant_value": "sda"}`}}},
		{"a computed-only nested attribute is configured", []edit{{settings + "nic constant_value 0 ip", `"10.0.0.1"`}}},
		{"an ephemeral resource has the name of a managed one", []edit{{"plan configuration root_module resources data.acme_image.now", `{"address": "ephemeral.acme_server.web", "mode": "ephemeral", "type": "acme_server", "name": "web", "provider_config_key": "cloud", "expressions": {"id": {"references": ["var.id"]}, "name": {"constant_value": "x"}}}`}, {settings + "id", `{"references": ["var.id"]}`}}},
		{"an action has the name of a managed resource", []edit{{"plan configuration root_module resources data.acme_image.now", `{"address": "action.acme_server.web", "mode": "action", "type": "acme_server", "name": "web", "provider_config_key": "cloud", "expressions": {"id": {"references": ["var.id"]}}}`}}},
		{"a write-only attribute is a constant", []edit{{settings + "password", `{"constant_value": "hush"}`}}},
		{"a resource without a change configures too much", []edit{{"plan configuration root_module resources acme_note.untargeted expressions id", `{"constant_value": "x"}`}}},
		{"a module configures too much", []edit{{"plan configuration root_module module_calls net module resources acme_server.in expressions id", `{"constant_value": "x"}`}}},

		// The parts of a plan.
		{"planned_values differ", []edit{{planned + "name", `"x"`}, {planned + "token", `"secret"`}}},
		{"planned_values do not conform", []edit{{planned + "name", `[]`}}},
		{"planned_values lack a resource", []edit{{"plan planned_values root_module resources acme_server.web", ""}}},
		{"planned_values have a resource that is to be deleted", []edit{{"plan planned_values root_module resources acme_server.new address", `"acme_server.count[1]"`}}},
		{"planned_values have values of what is forgotten", []edit{{"plan planned_values root_module resources acme_server.let values", `{}`}}},
		{"planned_values have a resource too many", []edit{{"plan planned_values root_module resources data.acme_image.later address", `"data.acme_image.x"`}}},
		{"prior_state differs", []edit{{prior + "disk 0 size", `11`}}},
		{"prior_state lacks a resource", []edit{{"plan prior_state values root_module resources acme_server.web", ""}}},
		{"prior_state has what is to be created", []edit{{"plan prior_state values root_module resources acme_server.web address", `"acme_server.new"`}}},
		{"there are no planned_values and no prior_state", []edit{{"plan planned_values", ""}, {"plan prior_state", ""}, {state + "acme_note.untargeted", ""}, {state + "data.acme_image.now", ""}}},

		// The state.
		{"the state has another value", []edit{{state + "acme_server.web values name", `"WWW"`}}},
		{"the state has another sensitive value", []edit{{state + "acme_server.web values token", `"secret"`}}},
		{"the state has another value that the plan marks", []edit{{web + "after_sensitive name", `true`}, {state + "acme_server.web values name", `"secret"`}}},
		{"the state has other disks", []edit{{state + "acme_server.web values disk", `[]`}}},
		{"the state has another rule", []edit{{state + "acme_server.web values rule 0 port", `81`}}},
		{"the state has a write-only value", []edit{{state + "acme_server.web values password", `"hush"`}}},
		{"the state does not conform", []edit{{state + "acme_server.web values on", `"yes"`}}},
		{"what was created is not there", []edit{{state + "acme_server.new", ""}}},
		{"what was replaced is not there", []edit{{state + "acme_server.replaced", ""}}},
		{"what was deleted is still there", []edit{{state + "acme_server.web address", `"acme_server.count[1]"`}}},
		{"what was forgotten is still there", []edit{{state + "acme_server.taken address", `"acme_server.let"`}}},
		{"what was deposed is still there", []edit{{state + "acme_server.web deposed_key", `"d00df00d"`}, {state + "acme_server.web address", `"acme_server.replaced"`}}},
		{"what was not to change has changed", []edit{{state + "acme_server.count[0] values size", `3`}}},
		{"what was not planned has changed", []edit{{state + "acme_note.untargeted values text", `"x"`}}},
		{"what was not planned is gone", []edit{{state + "acme_note.untargeted", ""}}},
		{"what was not planned has appeared", []edit{{state + "acme_server.web address", `"acme_server.who"`}}},
		{"what was moved is where it was", []edit{{state + "acme_server.moved address", `"acme_server.old"`}}},
		{"a data source has another value", []edit{{state + "data.acme_image.now values id", `"img-9"`}}},
		{"a data source is not in the state", []edit{{state + "data.acme_image.now", ""}}},
		{"a data source is in the state only", []edit{{"plan prior_state values root_module resources data.acme_image.now", ""}}},
		{"a data source reads another value than configured", []edit{{state + "data.acme_image.later values name", `"X"`}}},
		{"a data source does not conform", []edit{{state + "data.acme_image.later values name", `1`}}},
		{"a data source was not read", []edit{{state + "data.acme_image.later", ""}}},
		{"a data source of a check reads another value", []edit{{later + "action_reason", `"read_because_check_nested"`}, {later + "change after id", `"img-7"`}, {later + "change after_unknown", `{}`}, {"plan planned_values root_module resources data.acme_image.later values id", `"img-7"`}}},
		{"a data source of a check was not read", []edit{{later + "action_reason", `"read_because_check_nested"`}, {state + "data.acme_image.later", ""}}},
		{"what was created is tainted", []edit{{state + "acme_server.new tainted", `true`}}},

		{"the state is of another provider", []edit{{state + "acme_server.web provider_name", `"registry.terraform.io/acme/other"`}}},
		{"others changed something", []edit{{"plan resource_drift", `[{"address": "acme_server.web", "change": {"actions": ["update"]}}]`}}},

		// What cannot be judged.
		{"an unknown provider", []edit{{"plan resource_changes acme_server.web provider_name", `"registry.terraform.io/acme/cluod"`}}},
		{"an unknown type", []edit{{"plan resource_changes acme_server.web type", `"acme_sever"`}}},
		{"an unknown data source", []edit{{"plan resource_changes data.acme_image.later type", `"acme_server"`}}},
		{"another schema version in the plan", []edit{{"plan planned_values root_module resources acme_server.web schema_version", `3`}}},
		{"another schema version in the state", []edit{{state + "acme_note.untargeted schema_version", `1`}}},
		{"deferred", []edit{{"plan deferred_changes", `[{"reason": "provider_config_unknown", "resource_change": {"address": "acme_server.x"}}]`}}},
		{"what was deferred has changed", []edit{{"plan deferred_changes", noteDeferred}, {state + "acme_note.untargeted values text", `"x"`}}},
		{"what was deferred and is sensitive has changed", []edit{{"plan deferred_changes", strings.Replace(noteDeferred, `"}}]`, `", "change": {"before": {}, "before_sensitive": {"text": true}}}}]`, 1)}, {state + "acme_note.untargeted values text", `"secret"`}}},
		{"what was deferred is not in the prior state", []edit{{"plan deferred_changes", strings.Replace(noteDeferred, `"}}]`, `", "change": {"before": {}}}}]`, 1)}, {"plan prior_state values root_module resources acme_note.untargeted", ""}}},
		{"what was deferred is as it was", []edit{{"plan deferred_changes", noteDeferred}}},
		{"what was deferred is gone", []edit{{"plan deferred_changes", noteDeferred}, {state + "acme_note.untargeted", ""}}},
		{"what was deferred is created", []edit{{"plan deferred_changes", `[{"reason": "deferred_prereq", "resource_change": {"address": "acme_server.who", "mode": "managed", "type": "acme_server", "provider_name": "registry.terraform.io/acme/cloud"}}]`}, {state + "acme_server.web address", `"acme_server.who"`}}},
		{"the plan failed", []edit{{"plan errored", `true`}}},
	}
	schemas := readSchemas(t, filepath.Join(made, "schemas.json"))
	var all bytes.Buffer
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			docs := map[string]any{"plan": readJSON(t, "plan.json"), "state": readJSON(t, "state.json")}
			fmt.Fprintf(&all, "# %s\n", test.name)
			for _, e := range test.edits {
				docs = set(t, docs, strings.Split(e.where, " "), e.value).(map[string]any)
			}
			plan, state := encode(t, docs["plan"]), encode(t, docs["state"])
			r, err := runAudit(plan, state, schemas)
			if err != nil {
				t.Fatal(err)
			}
			outlines(&all, r)
			for _, format := range report.Formats() {
				text := written(t, r, report.Format(format))
				for _, secret := range []string{"hush", "secret"} {
					if bytes.Contains(text, []byte(secret)) {
						t.Errorf("%s shows what is sensitive:\n%s", format, text)
					}
				}
			}
		})
	}
	golden(t, "broken.golden", all.Bytes())
}

// What one part of the documents says is sensitive is so in all of them.
func TestSensitiveAnywhere(t *testing.T) {
	const (
		web   = "plan resource_changes acme_server.web change "
		drift = "plan resource_drift"
	)
	resources := map[string]string{
		"planned": "plan planned_values root_module resources acme_server.web ",
		"prior":   "plan prior_state values root_module resources acme_server.web ",
		"state":   "state values root_module resources acme_server.web ",
	}
	schemas := readSchemas(t, filepath.Join(made, "schemas.json"))
	for where, mark := range map[string]string{
		web + "before_sensitive":                     `{"name": true, "tags": {"env": true}}`,
		web + "after_sensitive":                      `{"name": true, "tags": true}`,
		resources["planned"] + "sensitive_values":    `{"name": true, "tags": {"env": true}}`,
		resources["prior"] + "sensitive_values":      `{"name": true, "tags": {"env": true}}`,
		resources["state"] + "sensitive_values":      `true`,
		drift:                                        `[{"address": "acme_server.web", "change": {"before_sensitive": {"name": true, "tags": {"env": true}}}}]`,
		web + "before_sensitive name":                `true`,
		resources["planned"] + "sensitive_values on": `true`,
	} {
		t.Run(where, func(t *testing.T) {
			docs := map[string]any{"plan": readJSON(t, "plan.json"), "state": readJSON(t, "state.json")}
			edits := map[string]string{
				web + "before_sensitive": `{}`, web + "after_sensitive": `{}`,
				web + "before name": `"secret1"`, web + "before tags": `{"env": "secret2"}`,
				web + "after name": `"secret3"`, web + "after tags": `{"env": "secret4"}`,
			}
			for part, at := range resources {
				edits[at+"sensitive_values"] = `{}`
				edits[at+"values name"] = `"secret5` + part + `"`
				edits[at+"values tags"] = `{"env": "secret6` + part + `"}`
			}
			hidden := !strings.HasSuffix(where, " name") && !strings.HasSuffix(where, " on")
			for steps, value := range edits {
				docs = set(t, docs, strings.Split(steps, " "), value).(map[string]any)
			}
			docs = readBack(t, docs)
			docs = set(t, docs, strings.Split(where, " "), mark).(map[string]any)
			r, err := runAudit(encode(t, docs["plan"]), encode(t, docs["state"]), schemas)
			if err != nil || !r.Wrong(report.Options{}) {
				t.Fatalf("%v, %+v", err, r)
			}
			for _, format := range report.Formats() {
				if text := written(t, r, report.Format(format)); bytes.Contains(text, []byte("secret")) == hidden {
					t.Errorf("%s:\n%s", format, text)
				}
			}
		})
	}
}

func readBack(t *testing.T, docs map[string]any) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal(encode(t, docs), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// What has no schema is skipped, and a plan of nothing else is not well.
func TestNothingJudged(t *testing.T) {
	plan, state := readFile(t, filepath.Join(made, "plan.json")), readFile(t, filepath.Join(made, "state.json"))
	other := readSchemas(t, filepath.Join(recorded, "schemas.json"))
	r, err := runAudit(plan, state, other)
	if want := "plan.json: nothing could be judged: all of the resources were skipped"; r == nil || err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := runAudit([]byte(`{"format_version": "1.2", "planned_values": {}}`), nil, other); err != nil {
		t.Errorf("a plan without resources: %v", err)
	}
	deferred := `{"format_version": "1.2", "planned_values": {}, "deferred_changes": [{"reason": "x", "resource_change": {"address": "a.b"}}]}`
	if r, err := runAudit([]byte(deferred), nil, other); err != nil || len(r.Subjects) != 1 {
		t.Errorf("a plan with deferred changes only: %v, %v", r, err)
	}
}
