package watch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// TestCheckerListsWhatCannotBeChecked checks that the report lists RPCs that cannot be checked, and that the
// checker continues.
func TestCheckerListsWhatCannotBeChecked(t *testing.T) {
	w, err := encoded.New(6, tfcheck.Terraform)
	if err != nil {
		t.Fatal(err)
	}
	c := newChecker()
	see := func(x exchanges.RPC, from *encoded.Checker) {
		x.Method = "/tfplugin6.Provider/" + x.Method
		x.Provider = "acme/cloud"
		r := &rpc{exchange: x}
		r.checkWith(from, nil)
		c.enqueue(r)
	}
	see(exchanges.RPC{Method: "ReadResource", Requests: [][]byte{{0xff}}}, w)
	see(exchanges.RPC{Method: "ReadResource"}, nil) // panics
	see(exchanges.RPC{Method: "GetProviderSchema"}, nil)
	gone := &exchanges.Status{Name: "Unavailable"}
	for range 2 {
		see(exchanges.RPC{Method: "PlanResourceChange", Status: gone}, w)
		see(exchanges.RPC{Method: "GetProviderSchema", Status: gone}, w)
		c.crash("acme/cloud", errors.New("the provider crashed"))
	}
	large := [][]byte{make([]byte, maxWaitingBytes+1)}
	see(exchanges.RPC{Method: "ApplyResourceChange", Requests: large}, w)
	see(exchanges.RPC{Method: "GetProviderSchema", Responses: large}, w)
	r := c.report()

	var got []string
	for _, s := range r.Subjects {
		got = append(got, strings.Join(append(s.Columns(), string(s.Status), s.Reason), " "))
	}
	got = append(got, r.Notes...)
	want := []string{
		"ReadResource - #1 - skipped ReadResource: the request is malformed: it is not a protobuf message",
		"ReadResource - #2 - skipped a bug in objchange: please report it",
		"ApplyResourceChange - - - skipped 1 request not checked, because requests came too fast",
		"acme/cloud: not answered: PlanResourceChange (2 times)",
		"acme/cloud: the provider crashed (2 times)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestReportOfCrashHasNoStderr checks that the notes of a report have only the error of a crash. What
// the provider wrote, which may contain secrets, is only in the excerpts for the terminal.
func TestReportOfCrashHasNoStderr(t *testing.T) {
	c := newChecker()
	wrote := &driver.ProcessError{Err: errors.New("the provider crashed"), Stderr: "panic: hunter2"}
	c.crash("acme/cloud", errors.Join(wrote, errors.New("its folder remains")))
	if notes := c.report().Notes; !slices.Equal(notes, []string{"acme/cloud: the provider crashed"}) {
		t.Errorf("notes %q", notes)
	}
	if len(c.excerpts) != 1 || !strings.Contains(c.excerpts[0], "hunter2") {
		t.Errorf("excerpts %q", c.excerpts)
	}
}

// TestCheckerLimitsLists checks that the report of a long run is limited.
func TestCheckerLimitsLists(t *testing.T) {
	c := newChecker()
	for range maxListed + 2 {
		c.add(report.Subject{Group: "acme/cloud", RPC: "ReadResource", Type: "a", Status: report.Checked}, nil)
		c.add(report.Subject{Group: "acme/cloud", RPC: "ReadResource", Type: "a", Status: report.Failed}, nil)
	}
	for i := range maxKinds + 2 {
		c.crash("acme/cloud", fmt.Errorf("crash %d", i))
	}
	r := c.report()
	if got := r.Subjects[len(r.Subjects)-1].Reason; got != "2 requests more with findings or notes, not listed" {
		t.Errorf("told %q", got)
	}
	if len(r.Subjects) != 2*maxListed+1 || r.Notes[0] != "2 requests more, all ok, not listed" {
		t.Errorf("%d subjects, %s", len(r.Subjects), r.Notes[0])
	}
	if n := len(r.Notes); n != 2+maxKinds || r.Notes[n-1] != "acme/cloud: the provider exited by itself (2 times)" {
		t.Errorf("%d notes: %q", n, r.Notes)
	}
}

// TestCheckerWaitsForQueuedRPCs checks that settle waits until all queued RPCs are checked.
func TestCheckerWaitsForQueuedRPCs(t *testing.T) {
	c, checked, hold := newChecker(), 0, make(chan struct{})
	check := func() ([]encoded.Result, error) { <-hold; checked++; return nil, nil }
	read := exchanges.RPC{Method: "/tfplugin6.Provider/ReadResource", Provider: "acme/cloud"}
	for range 3 {
		c.enqueue(&rpc{exchange: read, check: check})
	}
	go close(hold)
	if c.settle(); checked != 3 {
		t.Errorf("%d of 3 exchanges are checked", checked)
	}
	c.report()
}
