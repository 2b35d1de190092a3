// Package tfplan checks plans and states in the JSON format of "terraform show -json". It checks
// whether a plan agrees with itself, with its configuration and with the schemas, and whether apply
// did what the plan says.
//
//	schemas, err := configschema.ParseProviderSchemas(text) // of "terraform providers schema -json"
//	report, err := tfplan.Check(schemas, plan, state)
//	for resource, finding := range report.Findings() {
//		fmt.Println(resource.Address, finding)
//	}
//
// [ValueOf] returns the cty value of one object.
//
// A plan or a state may be larger than the memory, because its text is read twice, one object at a
// time. Each object needs a few hundred bytes of memory, regardless of its size.
package tfplan

import (
	"fmt"
	"io"
	"iter"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
)

// Check checks a plan, and the state after the plan was applied. Pass a nil state if there is no
// state. The report has an entry for each object in the plan and the state. If an object cannot be
// checked, for example because the schemas do not contain its type, its entry has the reason.
//
// It returns an [*Error] and a nil report if a document cannot be used, because it is not JSON, is
// of another kind, or has a format version that is not supported.
//
// Plan and state are documents as "terraform show -json" prints them. An [*os.File] that is a
// regular file is read in place, from its current offset. Such a file must not change during the
// call. Any other reader is copied to a temporary file first. Objects are checked in parallel.
func Check(schemas *configschema.ProviderSchemas, plan, state io.Reader) (*Report, error) {
	in, err := open(plan, InPlan)
	if err != nil {
		return nil, err
	}
	defer in.close()
	chk := newInspection(schemas)
	if err := chk.index.scanPlan(in); err != nil {
		return nil, err
	}
	if state != nil {
		after, err := open(state, InState)
		if err != nil {
			return nil, err
		}
		defer after.close()
		if err := chk.index.scanState(after); err != nil {
			return nil, err
		}
	}
	return chk.report()
}

// Coverage describes how much of a configuration was compared with the plan. It counts attributes
// that are set. The blocks of one type count as one attribute if their number is not certain.
type Coverage struct {
	// Configured is the number of attributes that are set.
	Configured int `json:"configured"`
	// Constants is the number of these attributes that are constants.
	Constants int `json:"constants"`
}

// String returns the numbers in a sentence.
func (c Coverage) String() string {
	return fmt.Sprintf("%d of %d configured attributes are constants and were compared with the plan",
		c.Constants, c.Configured)
}

// A Report is the result of Check.
type Report struct {
	// Resources are the changes of the plan, and the objects that are only in the prior state, the
	// state or the planned values.
	Resources []Resource `json:"resources"`
	// Notes contains further information about the plan and the check, for example that the run
	// that made the plan failed, or how much of the configuration could be compared with the plan.
	Notes []string `json:"notes,omitempty"`
	// Configuration is the sum of the Configuration fields of the resources.
	Configuration Coverage `json:"configuration"`
}

// Findings returns all findings with their resources.
func (r *Report) Findings() iter.Seq2[*Resource, *Finding] {
	return func(yield func(*Resource, *Finding) bool) {
		for i := range r.Resources {
			for k := range r.Resources[i].Findings {
				if !yield(&r.Resources[i], &r.Resources[i].Findings[k]) {
					return
				}
			}
		}
	}
}

// A Resource is one object of a plan or a state: a resource instance, or a deposed object of it.
type Resource struct {
	Address         string              `json:"address"`
	Deposed         string              `json:"deposed,omitempty"`          // the key of a deposed object
	PreviousAddress string              `json:"previous_address,omitempty"` // before it was moved
	Mode            tfjson.ResourceMode `json:"mode"`
	Type            string              `json:"type"`
	Provider        string              `json:"provider"` // "registry.terraform.io/hashicorp/time"
	Action          objchange.Action    `json:"action"`   // a plan's other actions keep their names
	Imported        bool                `json:"imported,omitempty"`
	Status          Status              `json:"status"`
	// Reason says why the object was not checked, or which operation failed.
	Reason string `json:"reason,omitempty"`
	// Idle reports whether the object was skipped because there is nothing to check. It is false if
	// the check needs something that is missing.
	Idle bool `json:"idle,omitempty"`
	// Configuration is how much of the configuration is known. It is zero for an object that is not
	// compared with a configuration, for example because it does not change.
	Configuration Coverage `json:"configuration,omitzero"`
	Place                  // of the object
	// Findings can be present with any status.
	Findings []Finding `json:"findings,omitempty"`
}

// String returns the address, with the key of a deposed object.
func (r *Resource) String() string { return key{r.Address, r.Deposed}.String() }

// These are the actions of objects that the rules do not have.
const (
	ActionRead       objchange.Action = "read"
	ActionForget     objchange.Action = "forget"
	ActionNotPlanned objchange.Action = "not planned" // the plan has no change of the object
)

// A Status is the result of checking an object.
type Status string

// The statuses.
const (
	Checked Status = "checked"
	Skipped Status = "skipped" // see the reason
	Failed  Status = "failed"  // apply failed, so there may be nothing to check
)

// A Finding is one violation of a rule.
type Finding struct {
	Rule    objchange.Rule  `json:"rule"`
	Path    string          `json:"path"`             // in the object, "" for the whole; contains nothing sensitive
	Shown   cty.Path        `json:"-"`                // Path before it was formatted, like objchange.Violation.Shown
	Inside  string          `json:"inside,omitempty"` // from Path to the difference inside the value
	Message string          `json:"message"`          // without path and rule; contains nothing sensitive
	Phase   objchange.Phase `json:"phase,omitempty"`
	// Severity is Rejected if a pipeline should stop: Terraform rejects the value, or the plan
	// contradicts itself, because another program changed it. A document does not say which SDK the
	// provider uses. Findings are Tolerated or LegacySDK if the schema looks like a schema of the
	// legacy SDK.
	Severity objchange.Severity `json:"severity"`
	// Place is the location of the value if it is known, and otherwise the location of the
	// resource.
	Place
}

// String returns path, message and rule.
func (f *Finding) String() string { return fmt.Sprintf("%s: %s [%s]", f.Path, f.Message, f.Rule) }

// A Document is one of the checked documents.
type Document string

// The documents.
const (
	InPlan  Document = "plan"
	InState Document = "state"
)

// A Place is a location in a document.
type Place struct {
	Document Document `json:"document"`
	Line     int      `json:"line"`    // from 1
	Column   int      `json:"column"`  // in the line, in characters from 1
	Pointer  string   `json:"pointer"` // JSON pointer
}
