package cli

import (
	"errors"
	"fmt"
	"os/exec"

	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck/explore"
)

// anyProgram is the value of --confirm without an argument.
const anyProgram = "terraform"

// errNoProgram is the error if there is no program to confirm findings.
var errNoProgram = errors.New("--confirm: neither terraform nor tofu is on the PATH")

// confirms returns the option that confirms findings of the provider, if --confirm is set.
func (from exploreInput) confirms(provider string) ([]explore.Option, error) {
	if from.confirm == "" {
		return nil, nil
	}
	program, err := confirmsWith(from.confirm)
	if err != nil {
		return nil, err
	}
	return []explore.Option{explore.Confirm(program, provider)}, nil
}

// confirmsWith returns the path of the program. If the program is anyProgram and not found, it
// returns the path of tofu.
func confirmsWith(program string) (path string, err error) {
	path, err = exec.LookPath(program)
	if err != nil && program == anyProgram {
		if path, err = exec.LookPath("tofu"); err != nil {
			return "", errNoProgram
		}
	}
	if err != nil {
		return "", misused("--confirm: %w", err)
	}
	return path, nil
}

// confirmationOf converts a confirmation for a report.
func confirmationOf(c *explore.Confirmation) *report.Confirmation {
	if c == nil {
		return nil
	}
	return &report.Confirmation{
		Program: c.Program, Version: c.Version, Verdict: string(c.Verdict), Error: c.Error, Reason: c.Reason, Summary: c.String(),
	}
}

// addUnconfirmed adds the findings that are not confirmed, and a note with their number.
func addUnconfirmed(r *report.Report, all []explore.Finding) {
	for _, f := range all {
		r.Unconfirmed = append(r.Unconfirmed, report.Unconfirmed{Kind: string(f.Places[0].Kind), Type: f.Places[0].Type, Finding: findingOf(f)})
	}
	if len(all) > 0 {
		c := all[0].Confirmed
		r.Notes = append(r.Notes, fmt.Sprintf("not counted: %s that %s %s does not confirm. Please report this bug in objchange.",
			words.Plural(len(all), "finding"), c.Program, c.Version))
	}
}
