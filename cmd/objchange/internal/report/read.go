package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Read reads a report in the format JSON, and what of the options it was written
// with. Errors of the report are in it.
func Read(in io.Reader) (*Report, Options, error) {
	var doc jsonReport
	dec := json.NewDecoder(in)
	if err := dec.Decode(&doc); err != nil {
		return nil, Options{}, fmt.Errorf("it is no report in JSON: %w", err)
	}
	if !strings.HasPrefix(doc.FormatVersion, "1.") || doc.Command == "" {
		return nil, Options{}, errors.New("it is no report that objchange wrote with --format json")
	}
	r := &Report{Command: doc.Command, Ignores: doc.Ignores, Notes: doc.Notes, Error: doc.Error}
	for _, s := range doc.Subjects {
		subject := Subject{
			Group: s.Group, Columns: s.cells(doc.Command), Status: s.Status, Reason: s.Reason, Idle: s.Idle, Ignored: s.Ignored, Object: s.Object, Number: s.Number,
			Place: Place{File: s.File, Line: s.Line, Column: s.Column, Pointer: s.Pointer},
		}
		for _, f := range s.Findings {
			subject.Findings = append(subject.Findings, Finding{
				Rule: f.Rule, Path: f.Path, Inside: f.Inside, Message: f.Message, Phase: f.Phase,
				Enforced: f.Enforced, Excused: f.Excused, Ignored: f.Ignored,
			})
		}
		r.Subjects = append(r.Subjects, subject)
	}
	if sum := doc.Summary; sum.OK+sum.WithFindings+sum.Failed+sum.Skipped != len(r.Subjects) {
		return nil, Options{}, errors.New("not all is in it: it was written with --quiet")
	}
	return r, Options{Strict: doc.Strict, FailOnSkipped: doc.FailOnSkipped}, nil
}

// Merge makes one report of those of parts of the same run, in the order of their
// groups.
func Merge(parts []*Report) (*Report, error) {
	all := &Report{}
	for _, part := range parts {
		if all.Command == "" {
			all.Command = part.Command
		}
		if part.Command != all.Command {
			return nil, fmt.Errorf("one report is of %s, another of %s", all.Command, part.Command)
		}
		all.Subjects = append(all.Subjects, part.Subjects...)
		all.Notes = append(all.Notes, part.Notes...)
		all.ignores(part.Ignores)
		if part.Error != "" && all.Error == "" {
			all.Error = part.Error
		}
	}
	slices.SortStableFunc(all.Subjects, func(x, y Subject) int { return strings.Compare(x.Group, y.Group) })
	slices.Sort(all.Notes)
	all.Notes = slices.Compact(all.Notes)
	return all, nil
}

// ignores adds what a part ignored: an entry that one had no use for may be needed by
// another.
func (r *Report) ignores(of []Ignore) {
	for _, i := range of {
		same := slices.IndexFunc(r.Ignores, func(j Ignore) bool {
			return i.What == j.What && i.Source == j.Source && i.Reason == j.Reason && i.Expired == j.Expired
		})
		if same < 0 {
			r.Ignores = append(r.Ignores, i)
		} else {
			r.Ignores[same].Used += i.Used
		}
	}
}
