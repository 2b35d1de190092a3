package explore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/internal/severity"
	"github.com/objchange/objchange/tfcheck/internal/check"
)

// Run explores the provider that the factory with the name creates. The factories are the
// ProtoV6ProviderFactories of acceptance tests. Each finding is a subtest. The subtest fails if
// Terraform rejects the result of the provider, unless a tfcheck.Ignore of the factories selects the
// finding. Otherwise, the subtest only logs the finding. The message contains a minimal configuration
// and a Go test that reproduce the finding. Run also logs how many types it reached, the types that it
// did not reach or that the limit of requests ended, and all notes. It fails the test for each object
// that is left.
func Run(
	t *testing.T, factories map[string]func() (tfprotov6.ProviderServer, error), name string, opts ...Option,
) *Result {
	t.Helper()
	return inTest(t, InProcess(check.Factory(t, factories, name)), opts)
}

// Run5 is like Run for ProtoV5ProviderFactories.
func Run5(
	t *testing.T, factories map[string]func() (tfprotov5.ProviderServer, error), name string, opts ...Option,
) *Result {
	t.Helper()
	return inTest(t, InProcess5(check.Factory(t, factories, name)), opts)
}

func inTest(t *testing.T, provider Provider, opts []Option) *Result {
	t.Helper()
	r, err := Explore(t.Context(), provider, opts...)
	if err != nil {
		t.Error(escaped(err.Error()))
	}
	for _, text := range r.remarks() {
		t.Log(escaped(text))
	}
	for _, left := range r.Left {
		t.Error(escaped(fmt.Sprintf("%s %s is left: %s", left.Type, left.ID, left.Why)))
	}
	for _, f := range r.Findings {
		t.Run(fmt.Sprintf("%s/%s", f.Rule, f.Places[0].Type), func(t *testing.T) {
			t.Helper()
			if f.Severity == objchange.Rejected && f.Known == "" {
				t.Error(f.String())
			} else {
				t.Log(f.String())
			}
		})
	}
	return r
}

// remarks returns the messages to log, except for findings and objects that are left.
func (r *Result) remarks() (all []string) {
	reached, of := r.Reached()
	requests := print.Plural(r.Requests, "request")
	all = append(all, fmt.Sprintf("reached %d of %s with %s", reached, print.Plural(of, "type"), requests))
	for _, typ := range r.Types {
		if len(typ.Limited) > 0 {
			all = append(all,
				fmt.Sprintf("%s %s reached the limit of Requests in the phases %q", typ.Kind, typ.Name, typ.Limited))
		}
		if typ.Unreached != "" {
			all = append(all, fmt.Sprintf("%s %s was not reached: %s", typ.Kind, typ.Name, typ.Unreached))
		}
		if typ.Unapplied != "" {
			all = append(all, fmt.Sprintf("no %s was created: %s", typ.Name, typ.Unapplied))
		}
	}
	for _, f := range r.Unconfirmed {
		all = append(all, "not confirmed because of a bug in objchange; please report it: "+f.String())
	}
	return append(all, r.Notes...)
}

// escaped escapes the characters of a provider's text that a terminal interprets, except newlines
// and tabs.
func escaped(text string) string { return print.Printable(text, "\n\t") }

// maxShown limits the lines of code in the text of a finding, and maxPlaces its places.
const (
	maxShown  = 50
	maxPlaces = 5
)

// String returns the message, the rule, the places, the configuration and the Go test, in at most
// 60 lines for one place. It omits longer parts, and escapes characters that a terminal interprets.
func (f *Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s]%s\n", f.Message, f.Rule, severity.Note(f.Severity))
	for i, p := range f.Places {
		if rest := len(f.Places) - i; rest > 1 && i == maxPlaces {
			fmt.Fprintf(&b, "  and %d more places\n", rest)
			break
		}
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("  %s %s %s", p.Kind, p.Type, p.Path), " "))
	}
	if f.Known != "" {
		fmt.Fprintf(&b, "known: %s\n", f.Known)
	}
	lines, omitted := 0, 0
	for _, part := range []string{f.HCL, f.Confirmed.String(), f.GoTest, f.Detail} {
		switch n := strings.Count(part, "\n") + 2; {
		case part == "":
		case lines+n > maxShown:
			omitted += n
		default:
			lines += n
			b.WriteString("\n" + strings.TrimSpace(part) + "\n")
		}
	}
	if omitted > 0 {
		fmt.Fprintf(&b, "\n%d more lines are in the result of Run.\n", omitted)
	}
	fmt.Fprintf(&b, "\nsee: objchange explain %s", f.Rule)
	return escaped(b.String())
}
