package survey

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/explore"
)

// A Line is the output for one provider. Without Details, it contains no names of types and
// attributes.
type Line struct {
	Module   string                 `json:"module"`
	Version  string                 `json:"version"`
	SDK      SDK                    `json:"sdk,omitempty"`      // with which the provider is built
	Protocol int                    `json:"protocol,omitempty"` // 5 or 6
	Types    map[explore.Kind]Reach `json:"types,omitempty"`    // by kind
	Requests int                    `json:"requests"`           // sent to the provider
	Seconds  float64                `json:"seconds"`            // of exploring and confirming, without building
	Findings []Finding              `json:"findings"`           // one for each cause; findings that Terraform does not confirm come last
	Crashes  int                    `json:"crashes"`            // the number of findings that are crashes
	Unstable int                    `json:"unstable"`           // findings that could not be reproduced, which are not in Findings
	Notes    int                    `json:"notes"`              // of the report
	Gaps     []string               `json:"gaps,omitempty"`     // parts of the isolation that are missing
	Error    *Failure               `json:"error,omitempty"`    // why the provider was not explored, or not completely
	Details  *explore.Result        `json:"details,omitempty"`  // the whole result, for the authors of the provider
}

// A Reach is the number of types for which the provider accepted a configuration. Types that the
// hints skip are not counted.
type Reach struct {
	Reached int `json:"reached"`
	Of      int `json:"of"`
}

// A Finding is one cause, which can occur in several places.
type Finding struct {
	Rule     objchange.Rule   `json:"rule"`
	Severity tfcheck.Severity `json:"severity"`
	Phase    explore.Phase    `json:"phase"`    // of the exploration
	Places   int              `json:"places"`   // paths in types
	Enforced bool             `json:"enforced"` // Terraform fails with an error
	// Confirmed reports whether Terraform failed with that error when it ran the configuration. It
	// is nil if Terraform did not run the configuration.
	Confirmed *bool `json:"confirmed,omitempty"`
}

// A Failure is the error of a step.
type Failure struct {
	Step Step   `json:"step"`
	Text string `json:"text"`
}

// A Step is a part of the survey of one provider.
type Step string

// The steps, in order.
const (
	StepRequirements Step = "requirements" // reading the requirements of the module
	StepBuild        Step = "build"
	StepExplore      Step = "explore"
)

// Error returns the step and the text.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Step, f.Text) }

// add adds the result of an exploration.
func (l *Line) add(r *explore.Result) {
	l.Requests, l.Unstable, l.Notes = r.Requests, len(r.Unstable), len(r.Notes)
	l.Types = map[explore.Kind]Reach{}
	for _, t := range r.Types {
		if t.Skipped != "" || t.Kind == explore.Configuration {
			continue
		}
		reach := l.Types[t.Kind]
		reach.Of++
		if t.Reached {
			reach.Reached++
		}
		l.Types[t.Kind] = reach
	}
	for _, f := range slices.Concat(r.Findings, r.Unconfirmed) {
		l.Findings = append(l.Findings, Finding{
			Rule: f.Rule, Severity: f.Severity, Phase: f.Phase, Places: len(f.Places),
			Enforced: f.Severity == tfcheck.Rejected, Confirmed: confirmed(f.Confirmed),
		})
		if f.Rule == tfcheck.RuleCrash {
			l.Crashes++
		}
	}
}

// confirmed reports whether Terraform confirmed a finding. It returns nil if Terraform did not run.
func confirmed(c *explore.Confirmation) *bool {
	if c == nil || c.Verdict == explore.Untried {
		return nil
	}
	yes := c.Verdict == explore.Confirmed
	return &yes
}

// readFile reads the lines in a file.
func readFile(name string) ([]Line, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []Line
	in := bufio.NewReader(file)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err == io.EOF && len(text) == 0 {
			return lines, nil
		}
		var line Line
		if err == nil {
			err = json.Unmarshal(text, &line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		lines = append(lines, line)
	}
}
