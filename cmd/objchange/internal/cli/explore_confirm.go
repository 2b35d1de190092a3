package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/tfcheck/explore"
)

// anyProgram is the value of --confirm without a program.
const anyProgram = "terraform"

// errNoProgram says that nothing can confirm findings.
var errNoProgram = errors.New("--confirm: neither terraform nor tofu is on the PATH")

// confirms returns the option that confirms findings of the provider, if they are to be.
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

// confirmsWith returns the executable of the program, or of tofu if there is no terraform.
func confirmsWith(program string) (path string, err error) {
	path, err = exec.LookPath(program)
	if err != nil && program == anyProgram {
		if path, err = exec.LookPath("tofu"); err != nil {
			err = errNoProgram
		}
	}
	return path, err
}

// confirmationOf returns what Terraform said, as reports have it.
func confirmationOf(c *explore.Confirmation) *report.Confirmation {
	if c == nil {
		return nil
	}
	return &report.Confirmation{
		Program: c.Program, Version: c.Version, Verdict: string(c.Verdict), Error: c.Error, Reason: c.Reason, Summary: c.String(),
	}
}

// addUnconfirmed adds the findings that are not confirmed, and a note on each.
func addUnconfirmed(r *report.Report, all []explore.Finding) {
	for _, f := range all {
		finding := findingOf(f)
		finding.Also = placesOf(f.Places)
		r.Unconfirmed = append(r.Unconfirmed, finding)
		first, _, _ := strings.Cut(f.Confirmed.Error, "\n")
		r.Notes = append(r.Notes, strings.TrimRight(fmt.Sprintf("%s %s does not confirm this, so it does not count: %s: %s. Please report this mistake of objchange, with what --format json shows. %s",
			f.Confirmed.Program, f.Confirmed.Version, noteOn(f), f.Confirmed.Reason, first), " "))
	}
}
