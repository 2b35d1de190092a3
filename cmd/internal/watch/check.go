package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
)

const (
	// maxWaiting and maxWaitingBytes limit the RPCs that wait to be checked. Further RPCs are not
	// checked, because a run must neither wait for the checks nor run out of memory.
	maxWaiting      = 1 << 14
	maxWaitingBytes = 256 << 20
	// maxListed limits the listed subjects: that many without findings, and that many others. A run
	// may last for days.
	maxListed = 50_000
	// maxKinds is the maximum number of different notes on crashes, and of excerpts.
	maxKinds = 100
	// schemaTimeout is the time limit for a provider to return its schemas.
	schemaTimeout = time.Minute
)

// A checker checks the RPCs of a run one after the other, in its own goroutine.
type checker struct {
	queue chan *rpc
	done  chan struct{} // closed when all RPCs are checked

	mu      sync.Mutex
	waiting int                // number of RPCs in the queue
	none    *sync.Cond         // signals that waiting has decreased
	bytes   int                // size of the RPCs in the queue
	dropped bool               // an RPC was not put in the queue
	tooFast map[requestKey]int // RPCs with rules that were not put in the queue
	notes   map[string]int     // notes and how often each occurred
	// excerpts are the outputs of providers that crashed. They are not part of a report, because
	// they may contain secrets.
	excerpts []string

	// Only the goroutine of the checker uses these fields until done is closed.
	subjects        []report.Subject
	numbers         map[requestKey]int
	unlisted        map[requestKey]int // other subjects beyond maxListed
	withoutFindings int                // subjects without findings, listed or not
	finals          finals
	visit           func(report.Subject, []encoded.Result) // called for each checked or skipped RPC, unless it is nil
}

// A requestKey is the key for numbering requests.
type requestKey struct{ address, rpc, typeName string }

// idleChecker returns a checker without a queue and a goroutine. Only its method check checks
// RPCs.
func idleChecker() *checker {
	return &checker{
		tooFast: map[requestKey]int{}, unlisted: map[requestKey]int{},
		notes: map[string]int{}, numbers: map[requestKey]int{}, finals: newFinals(),
	}
}

func newChecker() *checker {
	c := idleChecker()
	c.queue, c.done, c.none = make(chan *rpc, maxWaiting), make(chan struct{}), sync.NewCond(&c.mu)
	go func() {
		defer close(c.done)
		for p := range c.queue {
			c.finals.saw(p)
			c.check(p)
			c.mu.Lock()
			c.bytes -= p.size()
			c.waiting--
			c.mu.Unlock()
			c.none.Broadcast()
		}
	}()
	return c
}

// An rpc is an RPC to check.
type rpc struct {
	exchange exchanges.RPC
	place    report.Place // in a recording
	check    func() ([]encoded.Result, error)
}

// name returns the RPC without its service.
func (p *rpc) name() string { return path.Base(p.exchange.Method) }

func (p *rpc) size() int { return len(p.exchange.Request()) + len(p.exchange.Response()) }

// enqueue queues the RPC if the limits allow it. It returns at once.
func (c *checker) enqueue(p *rpc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case p.exchange.Status != nil:
		c.unanswered(p, p.exchange.TypeName())
		return
	case c.bytes+p.size() <= maxWaitingBytes:
		select {
		case c.queue <- p:
			c.bytes += p.size()
			c.waiting++
			return
		default:
		}
	}
	c.dropped = true
	if tfcheck.Checks(p.name()) { // the others carry schemas, which can be requested later, or the version
		c.tooFast[requestKey{address: p.exchange.Provider, rpc: p.name()}]++
	}
}

// unanswered counts a request that got no answer, if there are rules for it.
func (c *checker) unanswered(p *rpc, typeName string) {
	if tfcheck.Checks(p.name()) {
		c.notes[p.exchange.Provider+": not answered: "+strings.TrimRight(p.name()+" "+typeName, " ")]++
	}
}

// crash records that a process of a provider ended by itself.
func (c *checker) crash(address string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	note := address + ": " + err.Error()
	if wrote := new(driver.ProcessError); errors.As(err, &wrote) {
		note = address + ": " + wrote.Err.Error() // the stderr may contain secrets
		if len(c.excerpts) < maxKinds {
			c.excerpts = append(c.excerpts, address+": "+err.Error())
		}
	}
	if c.notes[note] == 0 && len(c.notes) >= maxKinds {
		note = address + ": the provider exited by itself"
	}
	c.notes[note]++
}

// skip records that an RPC cannot be checked, and why.
func (c *checker) skip(p *rpc, typeName string, why error) {
	c.add(report.Subject{
		Group: p.exchange.Provider, RPC: p.name(), Type: typeName,
		Status: report.Skipped, Reason: why.Error(), Place: p.place,
	}, nil)
}

// check checks an RPC and records the result. An RPC that cannot be checked is skipped.
func (c *checker) check(p *rpc) {
	seen, err := p.check()
	if len(seen) == 0 && (err == nil || !tfcheck.Checks(p.name())) {
		return // an RPC without rules, such as for schemas
	}
	if err != nil {
		c.skip(p, "", err)
		return
	}
	s := report.Subject{Group: p.exchange.Provider, RPC: p.name(), Status: report.Checked, Place: p.place}
	for _, w := range seen {
		s.Type, s.Action = w.TypeName, report.Action(w.Exchange)
		if w.Failed {
			s.Status, s.Reason = report.Failed, "the provider returned an error"
		}
		if id := w.Object(); id != "" {
			s.Object = id
		}
		s.Findings = append(s.Findings, report.OfExchange(w.Findings...)...)
	}
	index := c.add(s, seen)
	if s.RPC == "PlanResourceChange" {
		c.finals.keep(p, seen[0].PriorKey, index)
	}
}

// checkWith sets the function that checks the RPC. It turns a panic into an error.
func (p *rpc) checkWith(checker *encoded.Checker, ask encoded.Caller) {
	p.check = func() ([]encoded.Result, error) {
		ctx, cancel := context.WithTimeout(context.Background(), schemaTimeout)
		defer cancel()
		return exchanges.Guarded(func() ([]encoded.Result, error) {
			return checker.Check(ctx, ask, p.exchange.Method, p.exchange.Request(), p.exchange.Response())
		})
	}
}

// add numbers the subject, appends it to the list and returns its index. It only counts the subject
// and returns -1 if the list already has maxListed such subjects.
func (c *checker) add(s report.Subject, results []encoded.Result) int {
	k := requestKey{s.Group, s.RPC, s.Type}
	c.numbers[k]++
	s.Number = c.numbers[k]
	if c.visit != nil {
		c.visit(s, results)
	}
	if s.Status == report.Checked && len(s.Findings) == 0 {
		c.withoutFindings++
		if c.withoutFindings > maxListed {
			return -1
		}
	} else if len(c.subjects)-min(c.withoutFindings, maxListed) >= maxListed {
		c.unlisted[requestKey{address: s.Group, rpc: s.RPC}]++
		return -1
	}
	c.subjects = append(c.subjects, s)
	return len(c.subjects) - 1
}

// compareFinals adds the findings of final plans. Call it once, before the report. It does nothing if
// RPCs are missing, because then it cannot tell final plans from others.
func (c *checker) compareFinals() {
	if c.dropped {
		return
	}
	c.finals.compare(func(plan madePlan, found []report.Finding) {
		if plan.subject < 0 {
			c.subjects = append(c.subjects, report.Subject{ // it was only counted
				Group: plan.rpc.exchange.Provider, RPC: plan.rpc.name(), Type: plan.rpc.exchange.TypeName(),
				Status: report.Checked, Place: plan.rpc.place, Findings: found,
			})
			return
		}
		s := &c.subjects[plan.subject]
		s.Findings = append(s.Findings, found...)
	})
	if c.finals.left > 0 {
		c.notes["a plan was not compared with the plan at apply, because there were too many"] = c.finals.left
	}
}

// settle waits until the queue is empty, for at most schemaTimeout. Call it while the providers
// still run, because the checks may request their schemas.
func (c *checker) settle() {
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		c.mu.Lock()
		defer c.mu.Unlock()
		for c.waiting > 0 {
			c.none.Wait()
		}
	}()
	select {
	case <-settled:
	case <-time.After(schemaTimeout):
	}
}

// report waits until all RPCs are checked and returns the report. Do not call enqueue afterwards.
func (c *checker) report() *report.Report {
	close(c.queue)
	<-c.done
	c.compareFinals()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reportSoFar("watch")
}

// reportSoFar returns the report of the RPCs that are checked so far.
func (c *checker) reportSoFar(command string) *report.Report {
	r := &report.Report{Command: command, Subjects: c.subjects}
	skip := func(requests map[requestKey]int, why string) {
		byRPC := func(a, b requestKey) int { return cmp.Compare(a.rpc, b.rpc) }
		for _, k := range slices.SortedFunc(maps.Keys(requests), byRPC) {
			r.Subjects = append(r.Subjects, report.Subject{
				Group: k.address, RPC: k.rpc,
				Status: report.Skipped, Reason: print.Plural(requests[k], "request") + why,
			})
		}
	}
	skip(c.tooFast, " not checked, because requests came too fast")
	skip(c.unlisted, " more with findings or notes, not listed")
	slices.SortStableFunc(r.Subjects, func(a, b report.Subject) int { return strings.Compare(a.Group, b.Group) })
	if c.withoutFindings > maxListed {
		more := print.Plural(c.withoutFindings-maxListed, "request")
		r.Notes = append(r.Notes, more+" more, all ok, not listed")
	}
	for _, note := range slices.Sorted(maps.Keys(c.notes)) {
		if n := c.notes[note]; n > 1 {
			note += fmt.Sprintf(" (%d times)", n)
		}
		r.Notes = append(r.Notes, note)
	}
	return r
}
