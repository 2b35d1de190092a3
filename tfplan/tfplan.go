// Package tfplan checks plans and states as "terraform show -json" prints them: whether a
// plan agrees with itself, with its configuration and with the schemas, and whether apply
// did what the plan says.
//
//	schemas, err := configschema.ParseProviderSchemas(text) // of "terraform providers schema -json"
//	report, err := tfplan.Judge(schemas, plan, state)
//	for resource, finding := range report.Findings() {
//		fmt.Println(resource.Address, finding)
//	}
//
// [Read] returns the changes of a plan as cty values, and [ValueOf] makes a cty value of one
// object.
//
// A plan or a state may be larger than the memory: its text is read twice, one object at a
// time. Each object takes some hundred bytes of memory, whatever its size.
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

// Judge checks a plan, and the state after it was applied; a nil state means that there is
// none. The report has an entry for each object in them. What cannot be checked, for
// example because the schemas do not have its type, is in the report with the reason.
//
// The error is an [*Error] if a document cannot be used: it is no JSON, of another kind, or
// of a format version that is not supported. Then the report is nil.
//
// Plan and state are as "terraform show -json" prints them. An [*os.File] that is a
// regular file is read where it is, from its offset, and must not change meanwhile. Any
// other reader is copied to a temporary file first. Judge checks objects in parallel.
func Judge(schemas *configschema.ProviderSchemas, plan, state io.Reader, options ...Option) (*Report, error) {
	j := newJudge(schemas, options)
	defer j.close()
	if err := j.scan(plan, InPlan, j.scanPlan); err != nil {
		return nil, err
	}
	if state != nil {
		if err := j.scan(state, InState, j.scanState); err != nil {
			return nil, err
		}
		j.applied = true
	}
	return j.report()
}

// Read returns the changes of a plan with their values, in the order of the document. The
// plan is as for [Judge]. An error ends the sequence: it is an [*Error], and comes with no
// change. A change whose values cannot be read has the reason in its Err.
func Read(schemas *configschema.ProviderSchemas, plan io.Reader, options ...Option) iter.Seq2[*Change, error] {
	return func(yield func(*Change, error) bool) {
		j := newJudge(schemas, options)
		defer j.close()
		if err := j.scan(plan, InPlan, j.scanPlan); err != nil {
			yield(nil, err)
			return
		}
		for _, p := range j.lists[changes] {
			c, err := j.read(p)
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// An Option changes what Judge and Read do.
type Option func(*options)

type options struct{ direct bool }

// DirectReferences assumes that an expression with exactly one reference is that reference. A
// plan writes var.name, "${var.name}-1" and upper(var.name) in the same way. Without this
// option, such an expression is not compared with the plan. With it, an expression that
// computes something leads to a wrong finding, which is Enforced like any other: use it only
// for configurations that pass variables on as they are.
func DirectReferences() Option { return func(o *options) { o.direct = true } }

// Coverage says how much of a configuration could be compared with the plan. It counts
// attributes that are set. The blocks of a type whose number is not certain count as one
// attribute.
type Coverage struct {
	// Compared attributes have a value that the plan says for certain: they are constants, or
	// DirectReferences says so.
	Compared int `json:"compared"`
	// Agreeing attributes have the planned value as far as the plan says, but another planned
	// value would be no finding: the expression has one reference, of which it may compute
	// something, or the value does not change, so ignore_changes may be the reason.
	Agreeing int `json:"agreeing"`
	// Unknown attributes have a value that the plan does not say.
	Unknown int `json:"unknown"`
}

// String returns the numbers in a sentence.
func (c Coverage) String() string {
	return fmt.Sprintf("%d configured attributes of objects that change: %d compared with the plan, %d only seen to agree with it, %d not known",
		c.Compared+c.Agreeing+c.Unknown, c.Compared, c.Agreeing, c.Unknown)
}

func (c *Coverage) add(other Coverage) {
	c.Compared += other.Compared
	c.Agreeing += other.Agreeing
	c.Unknown += other.Unknown
}

// A Report is what Judge found.
type Report struct {
	// Resources are the changes of the plan, its deferred changes, and the objects that are only
	// in the prior state, the state or the planned values. A resource without a change is listed
	// if there are findings about its configuration.
	Resources []Resource `json:"resources"`
	// Notes say what else matters for what was checked.
	Notes []Note `json:"notes,omitempty"`
	// Configuration is the sum of those of the resources.
	Configuration Coverage `json:"configuration"`
	// Unchecked says that there are objects, and that none of them could be checked.
	Unchecked bool `json:"unchecked,omitempty"`
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

// A Resource is one object of a plan or a state: a resource instance, or an object of it
// that is deposed.
type Resource struct {
	Address         string              `json:"address"`
	Deposed         string              `json:"deposed,omitempty"`          // the key of a deposed object
	PreviousAddress string              `json:"previous_address,omitempty"` // before it was moved
	Mode            tfjson.ResourceMode `json:"mode"`
	Type            string              `json:"type"`
	Provider        string              `json:"provider"` // "registry.terraform.io/hashicorp/time"
	Action          Action              `json:"action"`
	Imported        bool                `json:"imported,omitempty"`
	Status          Status              `json:"status"`
	// Reason says why the object was not checked, or what failed.
	Reason string `json:"reason,omitempty"`
	// Idle says that it was skipped because there is nothing to check, not because something is
	// missing.
	Idle bool `json:"idle,omitempty"`
	// Configuration is how much the plan says of the configuration. It is zero for an object
	// that is not compared with a configuration, for example because it does not change.
	Configuration Coverage `json:"configuration,omitzero"`
	Place                  // of the object
	// Findings may be there whatever the status is.
	Findings []Finding `json:"findings,omitempty"`
}

// String returns the address, with the key of a deposed object.
func (r *Resource) String() string { return key{r.Address, r.Deposed}.String() }

// An Action is what is to be done with an object.
type Action string

// The actions. Another action of a plan is written as the plan has it.
const (
	ActionNoOp    = Action(objchange.ActionNoOp)
	ActionCreate  = Action(objchange.ActionCreate)
	ActionUpdate  = Action(objchange.ActionUpdate)
	ActionReplace = Action(objchange.ActionReplace) // whatever is done first
	ActionDelete  = Action(objchange.ActionDelete)

	ActionRead   Action = "read"
	ActionForget Action = "forget"

	ActionDeferred      Action = "deferred"      // the plan leaves it to a later one
	ActionNotPlanned    Action = "not planned"   // the plan has no change of it
	ActionConfiguration Action = "configuration" // there is no change; the findings are about the configuration
)

// A Status says whether an object was checked.
type Status string

// The statuses.
const (
	Checked Status = "checked"
	Skipped Status = "skipped" // the reason says why
	Failed  Status = "failed"  // apply failed, so that there may be nothing to check
)

// A Finding is one rule that is broken.
type Finding struct {
	Rule    objchange.Rule  `json:"rule"`
	Path    string          `json:"path"`             // in the object, "" for all of it; nothing sensitive is in it
	Inside  string          `json:"inside,omitempty"` // from there to what differs inside the value
	Message string          `json:"message"`          // without path and rule; nothing sensitive is in it
	Phase   objchange.Phase `json:"phase,omitempty"`
	// Enforced says that Terraform rejects it. It is false for plan-action, plan-contradiction and
	// write-only-constant, which Terraform does not check.
	Enforced bool `json:"enforced"`
	// Tolerated says that Terraform rejects it from other providers. The schema of this one
	// looks like one of the legacy SDK, for which Terraform only logs it.
	Tolerated bool `json:"tolerated,omitempty"`
	// Place is that of the value, where it is known, and otherwise that of the resource.
	Place
}

// String returns path, message and rule.
func (f *Finding) String() string { return fmt.Sprintf("%s: %s [%s]", f.Path, f.Message, f.Rule) }

// A Document is one of the documents that are checked.
type Document string

// The documents.
const (
	InPlan  Document = "plan"
	InState Document = "state"
)

// A Place is where something is in a document.
type Place struct {
	Document Document `json:"document"`
	Line     int      `json:"line"`    // from 1
	Column   int      `json:"column"`  // in the line, in characters from 1
	Pointer  string   `json:"pointer"` // JSON pointer
}

// A NoteKind says what a note is about.
type NoteKind string

// The kinds of notes.
const (
	NoteErrored NoteKind = "errored"  // the run that made the plan failed
	NoteNoState NoteKind = "no-state" // Judge has no state
	// NoteConfiguration: how much of the configuration could be compared with the plan.
	NoteConfiguration NoteKind = "configuration"
	// NoteNoConfiguration: the plan has no configuration to be compared with.
	NoteNoConfiguration NoteKind = "no-configuration"

	NoteDrift    NoteKind = "drift"    // the object was changed by others than Terraform
	NoteUnread   NoteKind = "unread"   // a member of the plan, such as action_invocations, was not checked
	NoteProvider NoteKind = "provider" // the object has another provider in the state than in the plan
)

// A Note is something that matters for what was checked.
type Note struct {
	Kind    NoteKind `json:"kind"`
	Address string   `json:"address,omitempty"` // of an object, with the key of a deposed one
	Message string   `json:"message"`
}

// String returns address and message.
func (n Note) String() string {
	if n.Address == "" {
		return n.Message
	}
	return n.Address + ": " + n.Message
}

// A Change is a change in a plan.
type Change struct {
	Address         string
	Deposed         string // the key of a deposed object
	PreviousAddress string // before it was moved
	Mode            tfjson.ResourceMode
	Type            string
	Provider        string // "registry.terraform.io/hashicorp/time"
	Actions         tfjson.Actions
	ActionReason    tfjson.ActionReason
	Imported        bool
	Place           // of the change

	// Schema is that of the type, nil with an Err.
	Schema *objchange.Schema
	// Before and After conform to the schema. They are unknown where the plan says so, and have
	// the mark Sensitive. They are cty.NilVal with an Err.
	Before, After cty.Value
	// Config is the configuration. It conforms to the schema, has the mark Sensitive, and is
	// unknown where the plan does not say the value for certain. It is cty.NilVal with an Err
	// and for an object that is not configured.
	Config cty.Value
	// Configuration is how much of the configuration is known.
	Configuration Coverage
	// ReplacePaths are those that require replacement.
	ReplacePaths []cty.Path
	// Err says why there are no values: there is no schema, or they do not conform to it.
	Err error
}
