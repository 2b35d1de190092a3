// Package report is what a command found, and writes it in each of the formats.
package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// A Report is what a command judged and found.
type Report struct {
	Command  string    // "replay", "watch", "check", "audit", "provider"
	Subjects []Subject // in the order in which they were judged
	// Ignores are what is not to count, with how often that was so.
	Ignores []Ignore
	// Notes are what else is to be said at the end, a line each.
	Notes []string
	// Error is what ended the command before all was judged, or "".
	Error string
	// Errors are those of all parts of the input that cannot be used.
	Errors []string
	// Shard is which part of the input this is of, as K/N, or "".
	Shard string
}

// A Status is how a subject stands.
type Status string

// The statuses. What was skipped or failed says why in its Reason, and may have
// findings all the same.
const (
	Judged  Status = "judged"  // as its findings say
	Skipped Status = "skipped" // it cannot be judged
	Failed  Status = "failed"  // the provider refused, so that there is nothing to judge
)

// A Subject is something that was judged: a request, a document, a resource
// instance, a step of a run.
type Subject struct {
	Group    string   // what it belongs to: the recording, the file
	Columns  []string // its name in columns: RPC, resource type, object and action, or an address and an action
	Object   string   // the id in the name as it is, or ""
	Number   int      // among the requests of its RPC for its type, from 1, or 0 for what is none
	Status   Status
	Reason   string
	Idle     bool   // it is skipped since there is nothing to judge, whoever asks
	Ignored  string // why it is not to count that it was skipped, or ""
	Place    Place
	Findings []Finding
}

// A Place is where in the input something is.
type Place struct {
	File    string // "" if there is none, "-" for stdin
	Line    int    // from 1, or 0
	Column  int    // in the line, in characters from 1, or 0
	Pointer string // JSON pointer, or ""
}

// A Finding is one rule that is broken.
type Finding struct {
	Rule     objchange.Rule
	Path     string // as text, nothing sensitive in it; "" is the root
	Inside   string // from there to what differs inside the value, or ""; as Path
	Message  string
	Pointer  string // JSON pointer to the place in the document, or ""
	Phase    objchange.Phase
	Severity tfcheck.Severity
	Ignored  string // why it is not to count, or ""
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

// The values of --fail-on, from the most lenient one.
const (
	FailOnNever FailOn = "never" // none
	FailOnCore  FailOn = "core"  // those that Terraform rejects
	FailOnAll   FailOn = "all"   // all
)

var failOns = []FailOn{FailOnNever, FailOnCore, FailOnAll}

// Or returns the stricter one of two.
func (f FailOn) Or(other FailOn) FailOn {
	if slices.Index(failOns, other) > slices.Index(failOns, f) {
		return other
	}
	return f
}

// Set, String and Type make a flag of it.
func (f *FailOn) Set(text string) error {
	if !slices.Contains(failOns, FailOn(text)) {
		return fmt.Errorf("want %s, %s or %s", FailOnCore, FailOnAll, FailOnNever)
	}
	*f = FailOn(text)
	return nil
}

func (f *FailOn) String() string { return string(*f) }

// Type is the placeholder in the help.
func (*FailOn) Type() string { return "WHAT" }

// Counts reports whether the finding makes the command fail: all do with FailOnAll, and
// otherwise those that are Rejected, but never what is ignored. With FailOnNever, the
// report is the same, and only the exit status is another.
func (f Finding) Counts(on FailOn) bool {
	return f.Ignored == "" && (on == FailOnAll || f.Severity == tfcheck.Rejected)
}

// Counts reports whether it makes the command fail that the subject was skipped.
func (s Subject) Counts(o Options) bool {
	return o.FailOnSkipped && s.Status == Skipped && !s.Idle && s.Ignored == ""
}

// Address returns what the subject of a command is known by: the address of a
// resource, or its type if it has none, or the name of a document.
func (s Subject) Address(command string) string {
	n := s.named(command)
	return cmp.Or(n.Address, n.Document, n.Type)
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

// Wrong reports whether anything in the report counts.
func (r *Report) Wrong(o Options) bool {
	for _, s := range r.Subjects {
		if s.Counts(o) || slices.ContainsFunc(s.Findings, func(f Finding) bool { return o.FailOn != FailOnNever && f.Counts(o.FailOn) }) {
			return true
		}
	}
	return false
}

// ofOne returns the findings for one of an exchange.
func ofOne(f tfcheck.Finding) []Finding {
	found := Of(f.Violations, false)
	for i := range found {
		found[i].Severity = f.Severity
	}
	return found
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
