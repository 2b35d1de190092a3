//go:build !wasm

package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

func (r *Report) writeSARIF(w io.Writer, o Options) error {
	doc := r.sarif(o)
	full, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	var plain map[string]any
	if err := json.Unmarshal(full, &plain); err != nil {
		return err
	}
	dropDefaults(plain)
	return write(w, plain, "  ")
}

// dropDefaults drops what the library writes though it means the same when it is
// not there: empty arrays and objects, and an index or a length of -1. A run has
// results, even if there are none.
func dropDefaults(in any) {
	switch in := in.(type) {
	case []any:
		for _, part := range in {
			dropDefaults(part)
		}
	case map[string]any:
		for name, part := range in {
			dropDefaults(part)
			switch part := part.(type) {
			case []any:
				if len(part) == 0 && name != "results" {
					delete(in, name)
				}
			case map[string]any:
				if len(part) == 0 {
					delete(in, name)
				}
			case float64:
				if part == -1 {
					delete(in, name)
				}
			}
		}
	}
}

// maxNotifications is how many subjects that were not judged are named: what
// shows SARIF shows results, and each takes several kilobytes to make.
const maxNotifications = 1000

func (r *Report) sarif(o Options) *sarif.Report {
	run := sarif.NewRunWithInformationURI("objchange", rulebook.Home)
	run.WithColumnKind("unicodeCodePoints")
	o.identify(run.Tool.Driver)
	for _, e := range rulebook.Entries() {
		describe(run.AddRule(string(e.Rule)), e)
	}
	unjudged, seen := 0, map[string]int{}
	invocation := sarif.NewInvocation().WithExecutionSuccessful(r.Error == "")
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			run.AddRule(string(f.Rule)) // no rule twice
			print := s.fingerprint(f)
			seen[print]++
			run.AddResult(s.result(f, run.GetRuleIndex(string(f.Rule)), o).
				WithPartialFingerprints(map[string]string{fingerprintName: fmt.Sprintf("%s:%d", print, seen[print])}))
		}
		if s.Status == Judged {
			continue
		}
		if unjudged++; unjudged <= maxNotifications {
			invocation.AddToolExecutionNotification(s.notification(o))
		}
	}
	if more := unjudged - maxNotifications; more > 0 {
		invocation.AddToolExecutionNotification(notify(levelWarning,
			fmt.Sprintf("%d more were skipped or failed; the other formats name each", more)))
	}
	for _, note := range append(r.IgnoreNotes(), r.Notes...) {
		invocation.AddToolExecutionNotification(notify(levelNote, note))
	}
	if r.Error != "" {
		invocation.AddToolExecutionNotification(notify(levelError, r.Error))
	}
	return sarif.NewReport().AddRun(run.AddInvocation(invocation))
}

// identify tells the version, as free text and, if it is that of a release, as a
// number. That of a build at hand is none, and that of a commit only looks like one.
func (o Options) identify(driver *sarif.ToolComponent) {
	if o.Version == "(devel)" {
		return
	}
	driver.WithVersion(o.Version)
	if semver.IsValid(o.Version) && !module.IsPseudoVersion(o.Version) {
		driver.WithSemanticVersion(strings.TrimPrefix(o.Version, "v"))
	}
}

// fingerprintName is the only fingerprint that code scanning reads. It makes one of
// the line itself if there is none, which is another whenever lines move.
const fingerprintName = "primaryLocationLineHash"

// fingerprint tells a finding from others of other runs.
func (s Subject) fingerprint(f Finding) string {
	group := filepath.ToSlash(s.Group)
	if filepath.IsAbs(s.Group) { // elsewhere on another machine
		group = filepath.Base(s.Group)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{string(f.Rule), group, s.name(), f.Path}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

func describe(rule *sarif.ReportingDescriptor, e rulebook.Entry) {
	level := levelError
	if !e.Counts {
		level = levelWarning
	}
	rule.WithShortDescription(multiformat(e.Meaning)).
		WithFullDescription(multiformat(e.Text)).
		WithHelp(help(e)).WithHelpURI(e.FixURL()).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level))
}

// help is an example and how to fix it. Code is in the Markdown only, so that it
// does not make up most of a short report.
func help(e rulebook.Entry) *sarif.MultiformatMessageString {
	text := "For example, of\n" + e.Example + "\nis said:\n" + e.Message +
		"\n\nHow to fix:\n\n" + e.FixProse() + "\n\nBroken and mended code: objchange explain " + string(e.Rule)
	return multiformat(text).WithMarkdown("For example, of\n\n```json\n" + e.Example + "\n```\n\nis said:\n\n```text\n" + e.Message +
		"\n```\n\n## How to fix\n\n" + e.FixMarkdown())
}

func multiformat(text string) *sarif.MultiformatMessageString {
	return sarif.NewMultiformatMessageString().WithText(text)
}

func (s Subject) result(f Finding, index int, o Options) *sarif.Result {
	text := f.Message
	for _, part := range []string{f.Path, s.name()} {
		if part != "" {
			text = part + ": " + text
		}
	}
	properties := sarif.NewPropertyBag().Add("severity", f.Severity)
	if f.Phase != "" {
		properties.Add("phase", f.Phase)
	}
	if f.Inside != "" {
		properties.Add("inside", f.Inside)
	}
	result := sarif.NewRuleResult(string(f.Rule)).WithRuleIndex(index).WithLevel(f.level(o.FailOn)).
		WithMessage(sarif.NewTextMessage(text)).
		WithLocations([]*sarif.Location{s.location(f.Path)}).
		WithProperties(properties)
	if f.Ignored != "" {
		result.AddSuppression(sarif.NewSuppression().WithKind("external").WithJustification(f.Ignored))
	}
	return result
}

// location is the subject's place, and in words the value's that the path leads
// to.
func (s Subject) location(path string) *sarif.Location {
	location := sarif.NewLocation()
	if file := s.Place.File; file != "" && file != "-" {
		region := sarif.NewRegion().WithStartLine(max(s.Place.Line, 1)) // code scanning shows nothing without a line
		if s.Place.Column > 0 {
			region.WithStartColumn(s.Place.Column)
		}
		location.WithPhysicalLocation(sarif.NewPhysicalLocation().
			WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri(file))).WithRegion(region))
	}
	logical := sarif.NewLogicalLocation().WithFullyQualifiedName(strings.TrimSpace(s.name() + " " + path)).WithKind("object")
	if path != "" {
		logical.WithName(path).WithKind("value")
	}
	if s.Place.Pointer != "" {
		logical.WithDecoratedName(s.Place.Pointer)
	}
	return location.AddLogicalLocation(logical)
}

// notification says why there is nothing, or not all, to be judged.
func (s Subject) notification(o Options) *sarif.Notification {
	return notify(s.level(o), strings.TrimPrefix(s.name()+": ", ": ")+string(s.Status)+": "+s.Reason).
		WithLocations([]*sarif.Location{s.location("")})
}

func notify(level, text string) *sarif.Notification {
	return sarif.NewNotification().WithLevel(level).WithMessage(sarif.NewTextMessage(text))
}

// uri returns the file's name as a URI, relative if the name is.
func uri(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}
