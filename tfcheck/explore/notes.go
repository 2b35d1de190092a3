package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/explore/internal/hints"
)

// notesOnHints returns notes about known findings that did not happen, and about types with a crash
// before a configuration was accepted, if values from the hints may be the reason.
func notesOnHints(h *hints.Hints, r *Result) []string {
	var reached []string
	for _, t := range r.Types {
		if t.Reached {
			reached = append(reached, t.Name)
		}
	}
	var found []hints.Place
	var crashes []string
	for _, f := range slices.Concat(r.Findings, r.Unconfirmed, r.Unstable) {
		for _, p := range f.Places {
			found = append(found, hints.Place{TypeName: p.Type, Rule: f.Rule, Path: p.Path})
			if f.Rule != objchange.RuleCrash || f.Phase != PhaseMinimal {
				continue
			}
			if suspects := h.Suspects(p.Type, f.HCL); suspects != nil {
				crashes = append(crashes, fmt.Sprintf("%s: the provider crashes with the first configurations, which may hide other faults. These configurations contain values from the hints for %s", p.Type, strings.Join(suspects, ", ")))
			}
		}
	}
	return append(h.Absent(reached, found), crashes...)
}
