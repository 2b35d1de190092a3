// Command vulns judges what govulncheck found: it fails for every vulnerability that
// is called, but for those that a file gives a reason for.
//
//	govulncheck -format json ./... | vulns EXCEPTIONS
//
// A line of the file has the vulnerability, the last day for which it is excepted,
// and why: "GO-2026-1234 2027-01-31 only servers are affected". Lines that are empty
// or begin with # are none.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: vulns EXCEPTIONS <JSON")
		os.Exit(2)
	}
	file, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = judge(os.Stdout, os.Stdin, string(file), time.Now())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulns:", err)
		os.Exit(1)
	}
}

// A message is one of those that govulncheck writes, as far as it is looked at.
type message struct {
	Config  *struct{}
	OSV     *struct{ ID, Summary string }
	Finding *struct {
		OSV          string
		FixedVersion string `json:"fixed_version"`
		Trace        []frame
	}
}

// A frame of a trace is what has the vulnerability, first, or what calls it.
type frame struct{ Module, Version, Package, Function string }

// An exception says until when a vulnerability does not count, and why.
type exception struct {
	until  time.Time
	reason string
	used   bool
}

// judge tells each vulnerability that is called, once. The error says how many count,
// or what the exceptions or the messages are wrong in.
func judge(w io.Writer, in io.Reader, file string, now time.Time) error {
	excepted, err := readExceptions(file)
	if err != nil {
		return err
	}
	summaries, told, ran, count := map[string]string{}, map[string]bool{}, false, 0
	for dec := json.NewDecoder(in); ; {
		var m message
		if err := dec.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("no JSON of govulncheck: %w", err)
		}
		ran = ran || m.Config != nil
		if m.OSV != nil {
			summaries[m.OSV.ID] = m.OSV.Summary
		}
		if m.Finding == nil || len(m.Finding.Trace) == 0 || m.Finding.Trace[0].Function == "" {
			continue // a module or a package is there, and what is wrong in it is not called
		}
		id, where := m.Finding.OSV, m.Finding.Trace[0]
		e := excepted[id]
		if e != nil {
			e.used = true
		}
		if told[id] {
			continue
		}
		told[id] = true
		fmt.Fprintf(w, "%s: %s\n  %s of %s %s is called; %s\n", id, summaries[id], where.Function, where.Module, where.Version, fixed(m.Finding.FixedVersion))
		if e != nil && now.Before(e.until.AddDate(0, 0, 1)) {
			fmt.Fprintf(w, "  excepted until %s: %s\n", e.until.Format(time.DateOnly), e.reason)
			continue
		}
		count++
	}
	if !ran {
		return errors.New("govulncheck wrote nothing")
	}
	for id, e := range excepted {
		if !e.used {
			err = errors.Join(err, fmt.Errorf("%s is excepted, and is not called any more", id))
		}
	}
	if count > 0 {
		err = errors.Join(fmt.Errorf("vulnerabilities that are called and count: %d", count), err)
	}
	return err
}

func fixed(version string) string {
	if version == "" {
		return "there is no fix"
	}
	return "fixed in " + version
}

func readExceptions(file string) (map[string]*exception, error) {
	all := map[string]*exception{}
	n := 0
	for line := range strings.Lines(file) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, rest, _ := strings.Cut(line, " ")
		day, reason, _ := strings.Cut(rest, " ")
		until, err := time.Parse(time.DateOnly, day)
		if err != nil || reason == "" || all[id] != nil {
			return nil, fmt.Errorf("exceptions, line %d: want a vulnerability that is not above, a day as 2027-01-31, and a reason", n)
		}
		all[id] = &exception{until: until, reason: reason}
	}
	return all, nil
}
