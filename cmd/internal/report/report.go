// Package report has the type for the results of a command, and writes it in several formats.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/internal/print"
)

// A Report is the result of a command. Its JSON is stable for programs. A new field increases the second
// number of the format version.
type Report struct {
	FormatVersion string `json:"format_version"` // set when the report is written
	Command       string `json:"command"`        // "replay", "watch", "check", "audit", "explore"
	// The next three are set when the report is written. The summary counts all subjects, also those that are
	// not written.
	FailOn        FailOn   `json:"fail_on"`
	FailOnSkipped bool     `json:"fail_on_skipped"`
	Summary       *summary `json:"summary"`

	Heading  string    `json:"heading,omitempty"` // what a reader must know first, such as a restriction
	Subjects []Subject `json:"subjects"`          // in the order of the checks
	// Ignores are the entries for ignored findings, with how often each was used.
	Ignores []Ignore `json:"ignores,omitempty"`
	// Notes are further messages for the end of the report, with one line each.
	Notes []string `json:"notes,omitempty"`
	// Error is the first error, with the number of the others, or "".
	Error string `json:"error,omitempty"`
	// Errors are all errors, such as one for each unusable part of the input.
	Errors []string `json:"errors,omitempty"`
}

// Fail sets the errors of the report to the problems that are joined in err, unless it is nil.
func (r *Report) Fail(err error) {
	if err == nil {
		return
	}
	for _, problem := range words.Problems(err) {
		r.Errors = append(r.Errors, problem.Error())
	}
	r.Error = r.Errors[0]
	if more := len(r.Errors) - 1; more > 0 {
		r.Error += fmt.Sprintf(" (and %s)", print.Plural(more, "more error"))
	}
}

// A Status is the status of a subject.
type Status string

// These are the statuses. A skipped or failed subject has a Reason, and may have findings too.
const (
	Checked Status = "checked" // with or without findings
	Skipped Status = "skipped" // it cannot be checked
	Failed  Status = "failed"  // the provider returned an error, so there is nothing to check, or it left objects
)

// A Subject is a checked unit: a request, a document, a resource instance or a type. Fields that do
// not apply to a command are empty.
type Subject struct {
	Group    string    `json:"group"`              // the recording or file that it belongs to
	Name     string    `json:"name"`               // on one line; set when the report is written
	RPC      string    `json:"rpc,omitempty"`      // of a request
	Document string    `json:"document,omitempty"` // its name
	Address  string    `json:"address,omitempty"`  // of a resource instance
	Provider string    `json:"provider,omitempty"` // its address, if the group is not the provider
	Type     string    `json:"type,omitempty"`     // of a resource
	Kind     string    `json:"kind,omitempty"`     // the kind of the type, such as data
	Object   string    `json:"object,omitempty"`   // the id of a request's object
	Number   int       `json:"number,omitempty"`   // counts the requests of its RPC for its type, from 1
	Action   string    `json:"action,omitempty"`
	Status   Status    `json:"status"`
	Reason   string    `json:"reason,omitempty"`
	Idle     bool      `json:"idle,omitempty"`    // skipped because it has nothing to check, regardless of options
	Ignored  string    `json:"ignored,omitempty"` // the reason why skipping it does not count
	Limited  []string  `json:"limited,omitempty"` // the parts of an exploration that ended because of a limit
	Place              // in the input
	Findings []Finding `json:"findings"`
}

// A Place is a position in the input.
type Place struct {
	File    string `json:"file,omitempty"`    // "-" for stdin
	Line    int    `json:"line,omitempty"`    // from 1
	Column  int    `json:"column,omitempty"`  // in characters, from 1
	Pointer string `json:"pointer,omitempty"` // JSON pointer
}

// A Finding is one violation of a rule.
type Finding struct {
	Rule     objchange.Rule     `json:"rule"`
	Path     string             `json:"path"`             // as text without sensitive values; "" is the root
	Shown    cty.Path           `json:"-"`                // Path before it was formatted; nil if Path has no indexes
	Inside   string             `json:"inside,omitempty"` // the path from Path to the difference inside the value
	Message  string             `json:"message"`
	Place                       // of the value, if known; File is "" if it is the subject's file
	Phase    objchange.Phase    `json:"phase,omitempty"`
	Severity objchange.Severity `json:"severity"`
	Counted  bool               `json:"counts"` // result of Counts; set when the report is written
	standing standing           // set when the report is written
	Ignored  string             `json:"ignored,omitempty"` // the reason why it does not count
	Also     []string           `json:"also,omitempty"`    // where else it is broken, as "resource TYPE PATH"
	HCL      string             `json:"hcl,omitempty"`     // a configuration that reproduces it
	Steps    []Step             `json:"steps,omitempty"`   // of a finding that takes more than one command
	GoTest   string             `json:"go_test,omitempty"` // a test file that reproduces it
	GoFunc   string             `json:"-"`                 // the function in it
	// Confirmed is the result of running them with Terraform, or nil if they did not run.
	Confirmed *Confirmation `json:"confirmed,omitempty"`
}

// A Step is one of the commands that reproduce a finding.
type Step struct {
	Command string `json:"command"`
	HCL     string `json:"hcl,omitempty"` // the configuration for this step; "" if it is unchanged
}

// at returns the place as FILE:LINE:COLUMN, without unknown parts.
func (p Place) at() string {
	text := words.FileName(p.File)
	for _, n := range []int{p.Line, p.Column} {
		if n > 0 {
			text += fmt.Sprintf(":%d", n)
		}
	}
	return text
}

// placeOf returns the place of the finding, completed with the place of the subject.
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

// An Ignore is an entry for findings that do not count.
type Ignore struct {
	What    string `json:"what"`   // rule, address, path and file
	Source  string `json:"source"` // where the entry is written
	Reason  string `json:"reason,omitempty"`
	Expired string `json:"expired,omitempty"` // the day, if the entry has expired
	Used    int    `json:"used"`              // number of matched findings and subjects
}

// FailOn selects the findings that make the command fail.
type FailOn string

// These are the values of --fail-on.
const (
	FailOnCore  FailOn = "core"  // those that Terraform rejects
	FailOnAll   FailOn = "all"   // also those that Terraform tolerates or does not check
	FailOnNever FailOn = "never" // no findings
)

// FailOns returns the values of --fail-on.
func FailOns() []FailOn { return []FailOn{FailOnCore, FailOnAll, FailOnNever} }

// A standing says how a finding counts, in the words of the summary.
type standing string

const (
	counting    standing = "counting"
	tolerated            = standing(objchange.Tolerated)
	unchecked            = standing(objchange.Unchecked)
	legacySDK            = standing(objchange.LegacySDK)
	unconfirmed standing = "not confirmed"
	ignored     standing = "ignored"
)

// standingWith returns how the finding counts. With FailOnNever it is the same as with FailOnCore, and
// only the exit status differs.
func (f Finding) standingWith(on FailOn) standing {
	switch {
	case f.Ignored != "":
		return ignored
	case f.Confirmed != nil && f.Confirmed.Verdict == "unconfirmed":
		return unconfirmed
	case f.Severity == objchange.LegacySDK:
		return legacySDK
	case f.Severity == objchange.Rejected || on == FailOnAll:
		return counting
	}
	return standing(f.Severity)
}

// Counts reports whether the finding makes the command fail. A Rejected finding counts. With
// FailOnAll, Tolerated and Unchecked findings count too. A finding never counts if it is ignored, if
// the legacy SDK causes it, or if Terraform did not confirm it.
func (f Finding) Counts(on FailOn) bool { return f.standingWith(on) == counting }

// Counts reports whether the subject makes the command fail because it was skipped.
func (s Subject) Counts(o Options) bool {
	return o.FailOnSkipped && s.Status == Skipped && !s.Idle && s.Ignored == ""
}

// KnownBy returns the name of the subject in entries that ignore findings. It is the address of a
// resource, or the name of a document, or the type of a resource.
func (s Subject) KnownBy() string { return cmp.Or(s.Address, s.Document, s.Type) }

// Columns returns the parts of the subject's name. A "-" stands for a missing part.
func (s Subject) Columns() []string {
	switch {
	case s.RPC != "":
		return []string{s.RPC, cmp.Or(s.Type, "-"), s.object(), cmp.Or(s.Action, "-")}
	case s.Kind != "":
		return []string{s.Kind, s.Type}
	case s.Action != "":
		return []string{s.Address, s.Action}
	}
	return []string{cmp.Or(s.Address, s.Document)}
}

// object returns the name of a request's object. It is the id on one line, shortened if it is very
// long, or otherwise the number of the request.
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

func (s Subject) name() string {
	missing := func(part string) bool { return part == "" || part == "-" }
	return strings.Join(slices.DeleteFunc(s.Columns(), missing), " ")
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

// ErrUnchecked is the error of a report for which Unchecked returns true.
var ErrUnchecked = errors.New("nothing could be checked: everything was skipped")

// Unchecked reports whether all subjects that could be checked were skipped. It returns false if
// there are no such subjects.
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

// Wrong reports whether any finding or skipped subject counts.
func (r *Report) Wrong(o Options) bool {
	for _, s := range r.Subjects {
		fails := func(f Finding) bool { return o.FailOn != FailOnNever && f.Counts(o.FailOn) }
		if s.Counts(o) || slices.ContainsFunc(s.Findings, fails) {
			return true
		}
	}
	return false
}

// Of returns the findings for violations.
func Of(violations objchange.Violations) []Finding {
	var found []Finding
	for _, v := range violations {
		found = append(found, Finding{
			Rule: v.Rule, Path: v.PathString(), Shown: v.Shown, Inside: objchange.PathString(v.Inside),
			Message: v.Message, Phase: v.Phase, Severity: v.Severity,
		})
	}
	return found
}
