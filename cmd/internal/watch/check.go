package watch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/tfcheck"
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
	// maxKinds is the maximum number of different notes and of excerpts.
	maxKinds = 100
	// schemaTimeout is the time limit for a provider to return its schemas.
	schemaTimeout = time.Minute
)

// A checker checks the RPCs of a run one after the other, in its own goroutine.
type checker struct {
	queue chan *rpc
	done  chan struct{} // closed when all RPCs are checked

	mu       sync.Mutex
	waiting  int                 // number of RPCs in the queue
	none     *sync.Cond          // signals that waiting has decreased
	bytes    int                 // size of the RPCs in the queue
	dropped  bool                // an RPC was not put in the queue
	unlisted map[unlistedKey]int // RPCs that are counted and not listed
	notes    map[note]int        // notes and how often each occurred
	// excerpts are the outputs of providers that crashed. They are not part of a report, because
	// they may contain secrets.
	excerpts []string

	// Only the goroutine of the checker uses these fields until done is closed.
	subjects        []report.Subject
	numbers         map[kind]int
	withoutFindings int // subjects without findings, listed or not
	finals          finals
}

// A kind is the key for numbering requests.
type kind struct{ address, rpc, typeName string }

// An unlistedKey is the common part of requests that are only counted.
type unlistedKey struct{ address, rpc, why string }

// A note is a message of the report, which counts how often it occurred. With a noun, the text is
// "before", the count with the noun, and "after". Without a noun, the text is "before", preceded by
// the count if that is more than 1.
type note struct{ before, noun, after string }

func (n note) text(count int) string {
	switch {
	case n.noun != "":
		return n.before + words.Plural(count, n.noun) + n.after
	case count > 1:
		return fmt.Sprintf("%d times, %s", count, n.before)
	}
	return n.before
}

// idleChecker returns a checker without a queue and a goroutine. Only its method check checks
// RPCs.
func idleChecker() *checker {
	return &checker{unlisted: map[unlistedKey]int{}, notes: map[note]int{}, numbers: map[kind]int{}, finals: newFinals()}
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

func (p *rpc) size() int { return len(p.request) + len(p.response) }

// name returns the RPC without its service.
func (p *rpc) name() string { return path.Base(p.method) }

// enqueue queues the RPC if the limits allow it. It returns at once.
func (c *checker) enqueue(p *rpc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	hasRules := tfcheck.Checks(p.name()) // the others carry schemas, which can be requested later, or the version
	switch {
	case p.err != nil:
		c.unanswered(p, exchanges.TypeOf(p.method, p.request))
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
	if hasRules {
		c.unlisted[unlistedKey{p.address, p.name(), " not checked, because requests came too fast"}]++
	}
}

// unanswered counts a request that got no answer, if there are rules for it.
func (c *checker) unanswered(p *rpc, typeName string) {
	if tfcheck.Checks(p.name()) {
		c.notes[note{p.address + ": ", "request", strings.TrimRight(" "+p.name()+" "+typeName, " ") + " not answered"}]++
	}
}

// crash records that a process of a provider ended by itself.
func (c *checker) crash(address string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	summary, more, _ := strings.Cut(err.Error(), "\n")
	if more != "" && len(c.excerpts) < maxKinds {
		c.excerpts = append(c.excerpts, address+": "+err.Error())
	}
	c.note(note{before: address + ": " + summary}, note{before: address + ": the provider exited by itself"})
}

// skip records that an RPC cannot be checked, and why.
func (c *checker) skip(p *rpc, typeName string, why error) {
	c.keep(report.Subject{
		Group: p.address, RPC: p.name(), Type: typeName, Status: report.Skipped, Reason: why.Error(), Place: p.place,
	})
}

// check checks an RPC and records the result. An RPC that cannot be checked is skipped.
func (c *checker) check(p *rpc) {
	seen, err := p.checked()
	if len(seen) == 0 && (err == nil || !tfcheck.Checks(p.name())) {
		return // an RPC without rules, such as for schemas
	}
	if err != nil {
		c.skip(p, "", err)
		return
	}
	s := report.Subject{Group: p.address, RPC: p.name(), Status: report.Checked, Place: p.place}
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
	index := c.keep(s)
	if s.RPC == "PlanResourceChange" {
		c.finals.keep(p, seen[0].PriorKey, index)
	}
}

// checked returns the results for an RPC. A panic becomes an error.
func (p *rpc) checked() ([]encoded.Result, error) {
	if p.results != nil {
		return p.results()
	}
	ctx, cancel := context.WithTimeout(context.Background(), schemaTimeout)
	defer cancel()
	return exchanges.Guarded(func() ([]encoded.Result, error) {
		return p.encoded.Check(ctx, p.ask, p.method, p.request, p.response)
	})
}

// keep numbers the subject, appends it to the list and returns its index. It only counts the subject
// and returns -1 if the list already has maxListed such subjects.
func (c *checker) keep(s report.Subject) int {
	k := kind{s.Group, s.RPC, s.Type}
	c.numbers[k]++
	s.Number = c.numbers[k]
	if s.Status == report.Checked && len(s.Findings) == 0 {
		if c.withoutFindings++; c.withoutFindings > maxListed {
			return -1
		}
	} else if len(c.subjects)-min(c.withoutFindings, maxListed) >= maxListed {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.unlisted[unlistedKey{s.Group, s.RPC, " more with findings or notes, not listed"}]++
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
			c.keep(report.Subject{
				Group: plan.address, RPC: plan.name(), Type: exchanges.TypeOf(plan.method, plan.request), Status: report.Checked,
				Place: plan.place, Findings: found,
			})
			return
		}
		s := &c.subjects[plan.subject]
		s.Findings = append(s.Findings, found...)
	})
	if c.finals.left > 0 {
		c.notes[note{"", "plan", " not compared with the plan at apply, because there were too many"}] = c.finals.left
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
	for _, l := range slices.SortedFunc(maps.Keys(c.unlisted), func(a, b unlistedKey) int { return cmp.Or(cmp.Compare(a.why, b.why), cmp.Compare(a.rpc, b.rpc)) }) {
		r.Subjects = append(r.Subjects, report.Subject{
			Group: l.address, RPC: l.rpc, Status: report.Skipped, Reason: words.Plural(c.unlisted[l], "request") + l.why,
		})
	}
	slices.SortStableFunc(r.Subjects, func(a, b report.Subject) int { return strings.Compare(a.Group, b.Group) })
	if c.withoutFindings > maxListed {
		r.Notes = append(r.Notes, fmt.Sprintf("%s more, all ok, not listed", words.Plural(c.withoutFindings-maxListed, "request")))
	}
	var notes []string
	for n, count := range c.notes {
		notes = append(notes, n.text(count))
	}
	slices.Sort(notes)
	r.Notes = append(r.Notes, notes...)
	return r
}

// note counts the note n. It counts the note other instead if n is new and there are maxKinds notes
// already.
func (c *checker) note(n, other note) {
	if _, ok := c.notes[n]; !ok && len(c.notes) >= maxKinds {
		n = other
	}
	c.notes[n]++
}
