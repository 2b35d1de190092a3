// Package report is what a command found, and writes it in each of the formats.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// A Report is what a command judged and found.
type Report struct {
	Command  string    `json:"command"`  // "replay", "watch", "check", "audit", "drive", "explore"
	Subjects []Subject `json:"subjects"` // in the order in which they were judged
	// Ignores are what is not to count, with how often that was so.
	Ignores []Ignore `json:"ignores,omitempty"`
	// Notes are what else is to be said at the end, a line each.
	Notes []string `json:"notes,omitempty"`
	// Unconfirmed are findings that Terraform did not confirm. They do not count.
	Unconfirmed []Unconfirmed `json:"unconfirmed,omitempty"`
	// Error is what ended the command before all was judged, or "".
	Error string `json:"error,omitempty"`
	// Errors are those of all parts of the input that cannot be used.
	Errors []string `json:"errors,omitempty"`
	// Shard is which part of the input this is of, as K/N, or "". Empty says that there is no
	// input in it, since there is less input than shards.
	Shard string `json:"shard,omitempty"`
	Empty bool   `json:"empty,omitempty"`
}

// A Status is how a subject stands.
type Status string

// The statuses. What was skipped or failed says why in its Reason, and may have
// findings all the same.
const (
	Judged  Status = "judged"  // as its findings say
	Skipped Status = "skipped" // it cannot be judged
	Failed  Status = "failed"  // the provider refused, so that there is nothing to judge, or left objects
)

// A Subject is something that was judged: a request, a document, a resource
// instance, a step of a run. Fields that a command has no use for are empty.
type Subject struct {
	Group    string    `json:"group"`              // what it belongs to: the recording, the file
	Name     string    `json:"name"`               // in one line; set when the report is written
	RPC      string    `json:"rpc,omitempty"`      // of a request
	Document string    `json:"document,omitempty"` // its name
	Address  string    `json:"address,omitempty"`  // of a resource instance
	Provider string    `json:"provider,omitempty"` // its address, where the group is not the provider
	Type     string    `json:"type,omitempty"`     // of a resource
	Kind     string    `json:"kind,omitempty"`     // what the type is of, such as data
	Object   string    `json:"object,omitempty"`   // the id of a request's object
	Number   int       `json:"number,omitempty"`   // among the requests of its RPC for its type, from 1
	Step     string    `json:"step,omitempty"`     // of a run
	Action   string    `json:"action,omitempty"`
	Status   Status    `json:"status"`
	Reason   string    `json:"reason,omitempty"`
	Idle     bool      `json:"idle,omitempty"`    // it is skipped since there is nothing to judge, whoever asks
	Ignored  string    `json:"ignored,omitempty"` // why it is not to count that it was skipped
	Explore  string    `json:"-"`                 // the provider for objchange explore, which can look for more findings of the type; or ""
	Place              // in the input
	Findings []Finding `json:"findings"`
}

// A Place is where in the input something is.
type Place struct {
	File    string `json:"file,omitempty"`    // "-" for stdin
	Line    int    `json:"line,omitempty"`    // from 1
	Column  int    `json:"column,omitempty"`  // in the line, in characters from 1
	Pointer string `json:"pointer,omitempty"` // JSON pointer
}

// A Finding is one rule that is broken.
type Finding struct {
	Rule     objchange.Rule   `json:"rule"`
	Path     string           `json:"path"`             // as text, nothing sensitive in it; "" is the root
	Inside   string           `json:"inside,omitempty"` // from there to what differs inside the value, as Path
	Message  string           `json:"message"`
	Place                     // of the value, where it is known; without a file it is in the subject's
	Phase    objchange.Phase  `json:"phase,omitempty"`
	Severity tfcheck.Severity `json:"severity"`
	Counted  bool             `json:"counts"`            // as Counts; set when the report is written
	Ignored  string           `json:"ignored,omitempty"` // why it is not to count
	Also     []string         `json:"also,omitempty"`    // where the same cause breaks the rule, as "resource TYPE PATH"
	HCL      string           `json:"hcl,omitempty"`     // a configuration that reproduces it
	Steps    []Step           `json:"steps,omitempty"`   // of a finding that takes more than one command
	GoTest   string           `json:"go_test,omitempty"` // a test that reproduces it
	// Confirmed is what Terraform said when it ran them; nil if it was not asked.
	Confirmed *Confirmation `json:"confirmed,omitempty"`
}

// An Unconfirmed is a finding that belongs to no subject.
type Unconfirmed struct {
	Kind string `json:"kind"` // of its first place, as in a Subject
	Type string `json:"type"`
	Name string `json:"name"` // in one line; set when the report is written
	Finding
}

// A Step is a command that takes part in reproducing a finding.
type Step struct {
	Command string `json:"command"`
	HCL     string `json:"hcl,omitempty"` // the configuration from then on; "" if it is as before
}

// placeOf returns the place of the finding: what is not known of it is as of the subject.
func (s Subject) placeOf(f Finding) Place {
	at := f.Place
	if at.File != "" && at.File != s.File {
		return at
	}
	if at.Line == 0 {
		at.Line, at.Column = s.Line, s.Column
	}
	at.File, at.Pointer = cmp.Or(at.File, s.File), cmp.Or(at.Pointer, s.Pointer)
	return at
}

// An Ignore says what is not to count.
type Ignore struct {
	What    string `json:"what"`   // rule, address, path and file
	Source  string `json:"source"` // where it is written
	Reason  string `json:"reason,omitempty"`
	Expired string `json:"expired,omitempty"` // the day, if it does no longer hold
	Used    int    `json:"used"`              // how many findings and subjects it matches
}

// FailOn says which findings make the command fail.
type FailOn string

// The values of --fail-on.
const (
	FailOnCore  FailOn = "core"  // those that Terraform rejects
	FailOnAll   FailOn = "all"   // also those that Terraform tolerates or does not check
	FailOnNever FailOn = "never" // none
)

// FailOns returns the values of --fail-on.
func FailOns() []FailOn { return []FailOn{FailOnCore, FailOnAll, FailOnNever} }

// Or returns the stricter one of two.
func (f FailOn) Or(other FailOn) FailOn {
	if f == FailOnAll || other == FailOnNever || other == "" {
		return f
	}
	return other
}

// Counts reports whether the finding makes the command fail: what is Rejected does, and
// with FailOnAll also what is Tolerated or Unchecked. What is ignored never counts, and
// nor does a LegacyZero, which no author can fix. With FailOnNever, the report is the
// same, and only the exit status differs.
func (f Finding) Counts(on FailOn) bool {
	if f.Ignored != "" || f.Severity == tfcheck.LegacyZero {
		return false
	}
	return on == FailOnAll || f.Severity == tfcheck.Rejected
}

// Counts reports whether it makes the command fail that the subject was skipped.
func (s Subject) Counts(o Options) bool {
	return o.FailOnSkipped && s.Status == Skipped && !s.Idle && s.Ignored == ""
}

// KnownBy returns what an entry that ignores findings calls the subject: the address of a
// resource, or its type if it has none, or the name of a document.
func (s Subject) KnownBy() string { return cmp.Or(s.Address, s.Document, s.Type) }

// Columns returns the parts of the subject's name. A "-" says that there is none.
func (s Subject) Columns() []string {
	switch {
	case s.RPC != "":
		return []string{s.RPC, cmp.Or(s.Type, "-"), s.object(), cmp.Or(s.Action, "-")}
	case s.Kind != "":
		return []string{s.Kind, s.Type}
	case s.Step != "":
		return []string{s.Type, s.Step, s.Action}
	case s.Address != "" && s.Action != "":
		return []string{s.Address, s.Action}
	}
	return []string{cmp.Or(s.Address, s.Document)}
}

// object returns the name of a request's object: its id in one line, shortened if it is
// very long, or else the request's number.
func (s Subject) object() string {
	const most = 60
	switch {
	case s.Object != "":
		return strconv.Quote(words.Short(s.Object, most))
	case s.Number != 0:
		return fmt.Sprintf("#%d", s.Number)
	}
	return "-"
}

// name returns the subject's name in one line.
func (s Subject) name() string {
	return strings.Join(slices.DeleteFunc(s.Columns(), func(part string) bool { return part == "" || part == "-" }), " ")
}

// notable returns the findings that are not ignored.
func (s Subject) notable() (found []Finding) {
	for _, f := range s.Findings {
		if f.Ignored == "" {
			found = append(found, f)
		}
	}
	return found
}

// ErrUnchecked is the error of a report that is unchecked.
var ErrUnchecked = errors.New("nothing could be checked: everything was skipped")

// Unchecked reports whether there is something to check, and all of it was skipped.
func (r *Report) Unchecked() bool {
	idle := 0
	for _, s := range r.Subjects {
		if s.Status != Skipped || s.Ignored != "" {
			return false
		}
		if s.Idle {
			idle++
		}
	}
	return idle < len(r.Subjects)
}

// Wrong reports whether anything in the report counts.
func (r *Report) Wrong(o Options) bool {
	for _, s := range r.Subjects {
		if s.Counts(o) || slices.ContainsFunc(s.Findings, func(f Finding) bool { return o.FailOn != FailOnNever && f.Counts(o.FailOn) }) {
			return true
		}
	}
	return false
}

// Of returns the findings for violations. If they are tolerated, Terraform only logs those
// that it would reject.
func Of(violations objchange.Violations, tolerated bool) []Finding {
	var found []Finding
	for _, v := range violations {
		found = append(found, Finding{
			Rule: v.Rule, Path: v.PathString(), Inside: v.InsideString(), Message: v.Message, Phase: v.Phase,
			Severity: tfcheck.SeverityOf(v, tolerated),
		})
	}
	return found
}
