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

// A Line is what the survey writes about one provider. Without Details it names no types and
// no attributes.
type Line struct {
	Module   string                 `json:"module"`
	Version  string                 `json:"version"`
	SDK      SDK                    `json:"sdk,omitempty"`      // that the provider is built with
	Protocol int                    `json:"protocol,omitempty"` // 5 or 6
	Types    map[explore.Kind]Reach `json:"types,omitempty"`    // by kind
	Requests int                    `json:"requests"`           // sent to the provider
	Seconds  float64                `json:"seconds"`            // of exploring and confirming, without building
	Findings []Finding              `json:"findings"`           // one for each cause, those that Terraform does not confirm last
	Crashes  int                    `json:"crashes"`            // how many of the findings are crashes
	Unstable int                    `json:"unstable"`           // findings that did not happen again, which are not counted
	Notes    int                    `json:"notes"`              // of the report
	Gaps     []string               `json:"gaps,omitempty"`     // which parts of the isolation did not hold
	Error    *Failure               `json:"error,omitempty"`    // why the provider was not explored, or not to the end
	Details  *explore.Result        `json:"details,omitempty"`  // everything, for the authors of the provider
}

// A Reach says for how many types the provider accepted a configuration. Types that hints skip
// are not counted.
type Reach struct {
	Reached int `json:"reached"`
	Of      int `json:"of"`
}

// A Finding is one cause, perhaps in several places.
type Finding struct {
	Rule     objchange.Rule   `json:"rule"`
	Severity tfcheck.Severity `json:"severity"`
	Phase    explore.Phase    `json:"phase"`    // of the exploration
	Places   int              `json:"places"`   // paths in types
	Enforced bool             `json:"enforced"` // Terraform fails with an error
	// Confirmed says whether a Terraform that ran the configuration failed with that error; nil if
	// none ran it.
	Confirmed *bool `json:"confirmed,omitempty"`
}

// A Failure says which step failed.
type Failure struct {
	Step Step   `json:"step"`
	Text string `json:"text"`
}

// A Step is a part of the survey of one provider.
type Step string

// The steps, in their order.
const (
	StepRequirements Step = "requirements" // reading what the module requires
	StepBuild        Step = "build"
	StepExplore      Step = "explore"
)

// Error returns the step and the text.
func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Step, f.Text) }

// add adds what was found.
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

// confirmed returns whether Terraform confirmed a finding; nil if it was not run.
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
