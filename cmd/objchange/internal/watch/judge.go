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

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/witness"
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
	// schemaPatience is the time limit for a provider to return its schemas.
	schemaPatience = time.Minute
)

// A judge checks the RPCs of a run one after the other, in its own goroutine.
type judge struct {
	queue  chan *rpc
	done   chan struct{} // closed when all RPCs are checked
	teller *teller       // may be nil

	mu      sync.Mutex
	waiting int          // number of RPCs in the queue
	none    *sync.Cond   // signals that waiting has decreased
	bytes   int          // size of the RPCs in the queue
	left    map[left]int // RPCs that are counted and not listed
	notes   map[note]int // notes and how often each occurred
	// excerpts are the outputs of providers that crashed. They are not part of a report, because
	// they may contain secrets.
	excerpts []string

	// Only the goroutine of the judge uses these fields until done is closed.
	subjects []report.Subject
	numbers  map[kind]int
	well     int // subjects without findings, listed or not
}

// A kind is the key for numbering requests.
type kind struct{ address, rpc, typeName string }

// A left is the common part of requests that are only counted.
type left struct{ address, rpc, why string }

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

// idleJudge returns a judge without a queue and a goroutine. Only its method judge checks RPCs.
func idleJudge() *judge {
	return &judge{left: map[left]int{}, notes: map[note]int{}, numbers: map[kind]int{}}
}

func newJudge() *judge {
	j := idleJudge()
	j.queue, j.done, j.none = make(chan *rpc, maxWaiting), make(chan struct{}), sync.NewCond(&j.mu)
	go func() {
		defer close(j.done)
		for p := range j.queue {
			j.judge(p)
			j.mu.Lock()
			j.bytes -= p.size()
			j.waiting--
			j.mu.Unlock()
			j.none.Broadcast()
		}
	}()
	return j
}

func (p *rpc) size() int { return len(p.request) + len(p.response) }

// name returns the RPC without its service.
func (p *rpc) name() string { return path.Base(p.method) }

// see queues the RPC if the limits allow it. It returns at once.
func (j *judge) see(p *rpc) {
	j.mu.Lock()
	defer j.mu.Unlock()
	judged := tfcheck.Judged(p.name()) // other RPCs only carry schemas, which the witness can request later
	switch {
	case p.err != nil:
		j.lose(p, exchanges.TypeOf(p.method, p.request))
		return
	case j.bytes+p.size() <= maxWaitingBytes:
		select {
		case j.queue <- p:
			j.bytes += p.size()
			j.waiting++
			return
		default:
		}
	}
	if judged {
		j.left[left{p.address, p.name(), " came faster than they could be judged"}]++
	}
}

// lose counts a request that got no answer, if there are rules for it.
func (j *judge) lose(p *rpc, typeName string) {
	if tfcheck.Judged(p.name()) {
		j.notes[note{p.address + ": ", "request", strings.TrimRight(" "+p.name()+" "+typeName, " ") + " not answered"}]++
	}
}

// crash records that a process of a provider ended by itself.
func (j *judge) crash(address string, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	said, more, _ := strings.Cut(err.Error(), "\n")
	if more != "" && len(j.excerpts) < maxKinds {
		j.excerpts = append(j.excerpts, address+": "+err.Error())
	}
	j.note(note{before: address + ": " + said}, note{before: address + ": the provider ended by itself"})
}

// skip records that an RPC cannot be checked, and why.
func (j *judge) skip(p *rpc, typeName string, why error) {
	j.keep(report.Subject{
		Group: p.address, RPC: p.name(), Type: typeName, Status: report.Skipped, Reason: why.Error(), Place: p.place,
	})
}

// judge checks an RPC and records the result. An RPC that cannot be checked is skipped.
func (j *judge) judge(p *rpc) {
	judged := p.judged
	if judged == nil {
		judged = p.judge
	}
	seen, err := judged()
	if len(seen) == 0 && (err == nil || !tfcheck.Judged(p.name())) {
		return // an RPC without rules, such as for schemas
	}
	if err != nil {
		j.skip(p, "", err)
		return
	}
	s := report.Subject{Group: p.address, RPC: p.name(), Status: report.Judged, Place: p.place}
	for _, w := range seen {
		s.Type, s.Action = w.TypeName, report.Action(w.Exchange)
		if w.Failed {
			s.Status, s.Reason = report.Failed, "the provider returned an error"
		}
		if id := w.Object(); id != "" {
			s.Object = id
		}
		for _, f := range w.Findings {
			s.Findings = append(s.Findings, report.OfExchange(f)...)
			if f.Side != tfcheck.SideRequest {
				s.Explore = p.explore
			}
		}
	}
	j.keep(s)
}

// judge returns the results for an RPC. A panic becomes an error.
func (p *rpc) judge() ([]witness.Witnessed, error) {
	ctx, cancel := context.WithTimeout(context.Background(), schemaPatience)
	defer cancel()
	return exchanges.Guarded(func() ([]witness.Witnessed, error) {
		return p.witness.Judge(ctx, p.ask, p.method, p.request, p.response)
	})
}

// keep numbers the subject and appends it to the list. It only counts the subject if the list
// already has maxListed such subjects.
func (j *judge) keep(s report.Subject) {
	k := kind{s.Group, s.RPC, s.Type}
	j.numbers[k]++
	s.Number = j.numbers[k]
	if s.Status == report.Judged && len(s.Findings) == 0 {
		if j.well++; j.well > maxListed {
			return
		}
	} else if len(j.subjects)-min(j.well, maxListed) >= maxListed {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.left[left{s.Group, s.RPC, " more, of which there is something to say"}]++
		return
	}
	j.subjects = append(j.subjects, s)
}

// settle waits until the queue is empty, for at most schemaPatience. Call it while the providers
// still run, because the checks may request their schemas.
func (j *judge) settle() {
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		j.mu.Lock()
		defer j.mu.Unlock()
		for j.waiting > 0 {
			j.none.Wait()
		}
	}()
	select {
	case <-settled:
	case <-time.After(schemaPatience):
	}
}

// report waits until all RPCs are checked and returns the report. Do not call see afterwards.
func (j *judge) report() *report.Report {
	close(j.queue)
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.told("watch")
}

// told returns the report of the RPCs that are checked so far.
func (j *judge) told(command string) *report.Report {
	r := &report.Report{Command: command, Subjects: j.subjects}
	for _, l := range slices.SortedFunc(maps.Keys(j.left), func(a, b left) int { return cmp.Or(cmp.Compare(a.why, b.why), cmp.Compare(a.rpc, b.rpc)) }) {
		r.Subjects = append(r.Subjects, report.Subject{
			Group: l.address, RPC: l.rpc, Status: report.Skipped, Reason: words.Plural(j.left[l], "request") + l.why,
		})
	}
	slices.SortStableFunc(r.Subjects, func(a, b report.Subject) int { return strings.Compare(a.Group, b.Group) })
	if j.well > maxListed {
		r.Notes = append(r.Notes, fmt.Sprintf("%s more, all ok, not listed", words.Plural(j.well-maxListed, "request")))
	}
	var notes []string
	for n, count := range j.notes {
		notes = append(notes, n.text(count))
	}
	slices.Sort(notes)
	r.Notes = append(r.Notes, notes...)
	return r
}

// note counts the note n. It counts the note other instead if n is new and there are maxKinds notes
// already.
func (j *judge) note(n, other note) {
	if _, ok := j.notes[n]; !ok && len(j.notes) >= maxKinds {
		n = other
	}
	j.notes[n]++
}
