package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/docs"
)

// An object is an object of SARIF 2.1.0. Missing properties have the standard's defaults.
type object = map[string]any

func (r *Report) writeSARIF(w io.Writer, o Options) error {
	return writeJSON(w, object{
		"$schema": "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs":    []object{r.sarif(o)},
	})
}

// maxMessage limits the characters of a message, because an upload to code scanning may have at most
// 10 MB, compressed.
const maxMessage = 2000

func (r *Report) sarif(o Options) object {
	rules, results := r.results()
	invocation := object{"executionSuccessful": r.Error == ""}
	if notifications := r.notifications(o); len(notifications) > 0 {
		invocation["toolExecutionNotifications"] = notifications
	}
	driver := object{"name": "objchange", "informationUri": docs.Home, "rules": rules}
	if o.Version != "(devel)" {
		driver["version"] = o.Version
	}
	return object{
		"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "results": results,
		"invocations": []object{invocation},
	}
}

func (r *Report) results() (rules, results []object) {
	rules, results = []object{}, []object{}
	index, same := map[objchange.Rule]int{}, map[string]int{}
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			if _, known := index[f.Rule]; !known {
				index[f.Rule] = len(rules)
				rules = append(rules, describe(f.Rule))
			}
			print := s.fingerprint(f)
			same[print]++
			result := s.result(f)
			result["ruleIndex"] = index[f.Rule]
			result["partialFingerprints"] = object{fingerprintName: fmt.Sprintf("%s:%d", print, same[print])}
			results = append(results, result)
		}
	}
	return rules, results
}

// notifications returns the messages beside the results.
func (r *Report) notifications(o Options) (all []object) {
	for _, s := range r.Subjects {
		if s.Status != Checked {
			n := notify(s.level(o), strings.TrimPrefix(s.Name+": ", ": ")+string(s.Status)+": "+s.Reason)
			n["locations"] = []object{s.location(s.Place, "")}
			all = append(all, n)
		}
	}
	for _, note := range slices.Concat(r.ignoreNotes(), r.Notes) {
		all = append(all, notify(levelNote, note))
	}
	if r.Error != "" {
		all = append(all, notify(levelError, r.Error))
	}
	return all
}

// fingerprintName is the only fingerprint that code scanning reads. Without it, code scanning
// computes one from the line, which changes when lines move.
const fingerprintName = "primaryLocationLineHash"

// fingerprint returns a text that identifies the finding across runs.
func (s Subject) fingerprint(f Finding) string {
	group := filepath.ToSlash(s.Group)
	if filepath.IsAbs(s.Group) { // the folder may differ between machines
		group = filepath.Base(s.Group)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{string(f.Rule), group, s.Name, f.Path}, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// describe returns the description of the rule. The help has an example and the fix. Only the
// Markdown contains code, to keep short reports small. A rule that the rules reference does not list
// has only the id.
func describe(rule objchange.Rule) object {
	e, known := rulebook.Find(rule)
	if !known {
		return object{"id": rule}
	}
	level := levelError
	if e.Severity != objchange.Rejected {
		level = levelWarning
	}
	return object{
		"id": e.Rule, "shortDescription": text(e.Meaning), "fullDescription": text(e.Text),
		"helpUri": e.Rule.Info().URL, "defaultConfiguration": object{"level": level},
		"help": object{
			"text": "Example:\n" + e.Example + "\nobjchange reports:\n" + e.Message +
				"\n\nHow to fix: " + e.Remedy + "\n\nCauses and code: objchange explain " + string(e.Rule),
			"markdown": "Example:\n\n```json\n" + e.Example + "\n```\n\nobjchange reports:\n\n```text\n" + e.Message +
				"\n```\n\n## How to fix\n\n" + e.Fix,
		},
	}
}

func text(s string) object { return object{"text": s} }

// result returns the finding. Its properties are the finding as in the JSON format.
func (s Subject) result(f Finding) object {
	f.Message = words.Short(f.Message, maxMessage)
	message := f.Message
	for _, part := range []string{f.Path, s.Name} {
		if part != "" {
			message = part + ": " + message
		}
	}
	result := object{
		"ruleId": f.Rule, "level": f.level(), "message": text(message),
		"locations":  []object{s.location(s.placeOf(f), f.Path)},
		"properties": object{"provider": s.Provider, "finding": f},
	}
	if f.Ignored != "" {
		result["suppressions"] = []object{{"kind": "external", "justification": f.Ignored}}
	}
	return result
}

// location returns the place, with the path of the value as its logical location.
func (s Subject) location(at Place, path string) object {
	logical := object{"fullyQualifiedName": strings.TrimSpace(s.Name + " " + path), "kind": "object"}
	if path != "" {
		logical["name"], logical["kind"] = path, "value"
	}
	if at.Pointer != "" {
		logical["decoratedName"] = at.Pointer
	}
	location := object{"logicalLocations": []object{logical}}
	if file := at.File; file != "" && file != "-" {
		region := object{"startLine": max(at.Line, 1)} // code scanning requires a line
		if at.Column > 0 {
			region["startColumn"] = at.Column
		}
		location["physicalLocation"] = object{"artifactLocation": object{"uri": uri(file)}, "region": region}
	}
	return location
}

func notify(level, message string) object {
	return object{"level": level, "message": text(words.Short(message, maxMessage))}
}

// uri returns the file name as a URI. A relative name gives a relative URI.
func uri(file string) string {
	u := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}

// These are the levels of findings in SARIF.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// level returns error if the finding makes the command fail, and otherwise warning or note.
func (f Finding) level() string {
	switch f.standing {
	case counting:
		return levelError
	case unchecked:
		return levelWarning
	}
	return levelNote
}

// level returns the level of a subject that was skipped or failed.
func (s Subject) level(o Options) string {
	switch {
	case s.Counts(o):
		return levelError
	case s.Status == Failed:
		return levelWarning
	}
	return levelNote
}
