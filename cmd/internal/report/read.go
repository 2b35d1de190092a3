package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/objchange/objchange/tfcheck"
)

// Read reads a report in JSON format. It also returns the options FailOn and FailOnSkipped that the
// report was written with. The error is for an invalid document. The errors in a report are part of
// the report.
func Read(in io.Reader) (*Report, Options, error) {
	doc := jsonReport{Report: &Report{}}
	dec := json.NewDecoder(in)
	if err := dec.Decode(&doc); err != nil {
		return nil, Options{}, fmt.Errorf("it is not a report in JSON: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, Options{}, errors.New("more data follows the report")
	}
	if !strings.HasPrefix(doc.FormatVersion, "1.") || !slices.Contains([]string{"replay", "watch", "check", "audit", "drive", "explore"}, doc.Command) {
		return nil, Options{}, errors.New("it is not a report that objchange wrote with --format json")
	}
	if doc.FailOn == "" {
		return nil, Options{}, errors.New("fail_on is missing: another version of objchange wrote it")
	}
	if !slices.Contains(FailOns(), doc.FailOn) {
		return nil, Options{}, fmt.Errorf("unknown fail_on %.60q", doc.FailOn)
	}
	r := doc.Report
	r.Command = doc.Command
	for _, s := range r.Subjects {
		if !slices.Contains([]Status{Checked, Skipped, Failed}, s.Status) {
			return nil, Options{}, fmt.Errorf("unknown status %.60q", s.Status)
		}
		for _, f := range s.Findings {
			if !names.MatchString(string(f.Rule)) || !names.MatchString(string(f.Phase)+"x") {
				return nil, Options{}, fmt.Errorf("invalid rule %.60q or phase %.60q", f.Rule, f.Phase)
			}
			if !slices.Contains(tfcheck.Severities(), f.Severity) {
				return nil, Options{}, fmt.Errorf("unknown severity %.60q", f.Severity)
			}
		}
	}
	if doc.Summary.all() != len(r.Subjects) {
		return nil, Options{}, errors.New("the report is incomplete: it was written with --quiet")
	}
	return r, Options{FailOn: doc.FailOn, FailOnSkipped: doc.FailOnSkipped}, nil
}

// names matches names of rules and phases, also of other releases.
var names = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Name adds the error of the report to its Errors, with the name of the file that the report was
// read from. It does so only if the error ended the command, and is not for a part of the input.
func (r *Report) Name(file string) {
	ofInput := len(r.Errors) > 0 && strings.HasPrefix(r.Error, r.Errors[0])
	if r.Error != "" && !ofInput && r.Error != ErrUnchecked.Error() {
		r.Errors = append(r.Errors, file+": "+r.Error)
	}
}

// Merge returns one report for the reports on parts of the same run. The subjects of audit are
// sorted by file. The error says that commands differ, or that a shard is missing or present twice.
func Merge(parts []*Report) (*Report, error) {
	all, shards := &Report{}, map[string]bool{}
	for _, part := range parts {
		if all.Command == "" {
			all.Command = part.Command
		}
		switch {
		case part.Command != all.Command:
			return nil, fmt.Errorf("the reports are of different commands: %s and %s", all.Command, part.Command)
		case part.Shard != "" && shards[part.Shard]:
			return nil, fmt.Errorf("the report of shard %s is duplicated", part.Shard)
		}
		shards[part.Shard] = true
		all.Subjects = append(all.Subjects, part.Subjects...)
		all.Notes = append(all.Notes, part.Notes...)
		all.ignores(part.Ignores)
		all.Errors = append(all.Errors, part.Errors...)
	}
	if all.Command == "audit" {
		slices.SortStableFunc(all.Subjects, func(x, y Subject) int { return strings.Compare(x.Group, y.Group) })
		slices.Sort(all.Notes)
		all.Notes = slices.Compact(all.Notes)
		slices.Sort(all.Errors)
	}
	return all, missing(shards)
}

// missing returns an error if a shard is missing.
func missing(shards map[string]bool) error {
	for shard := range shards {
		_, text, _ := strings.Cut(shard, "/")
		n, _ := strconv.Atoi(text)
		for k := 1; k <= n; k++ {
			if of := fmt.Sprintf("%d/%d", k, n); !shards[of] {
				return fmt.Errorf("the report of shard %s is missing", of)
			}
		}
	}
	return nil
}

// ignores adds the entries of a part. It adds up how often each entry was used, because one part
// may not use an entry that another part uses.
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
