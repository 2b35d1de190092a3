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
	// maxWaiting and maxWaitingBytes are how much may wait to be judged: more is
	// not, since a run must neither wait for it nor run out of memory.
	maxWaiting      = 1 << 14
	maxWaitingBytes = 256 << 20
	// maxListed is how many subjects are listed of which there is nothing to say, and
	// how many others: a run may last for days.
	maxListed = 50_000
	// maxKinds is how many notes of one kind are told apart.
	maxKinds = 100
	// schemaPatience is how long a provider may take to tell its schemas.
	schemaPatience = time.Minute
)

// A judge judges what has passed, beside the run, one after the other.
type judge struct {
	queue  chan *rpc
	done   chan struct{} // all is judged
	teller *teller       // or nil

	mu      sync.Mutex
	waiting int          // how many
	none    *sync.Cond   // waits any more
	bytes   int          // that wait
	left    map[left]int // what is only counted
	notes   map[note]int // how often
	// excerpts are what providers said that crashed. A report has none: it may be a
	// secret.
	excerpts []string

	// These are the judging goroutine's until all is done.
	subjects []report.Subject
	numbers  map[kind]int
	well     int // subjects of which there is nothing to say, listed or not
}

// A kind is what requests are numbered by.
type kind struct{ address, rpc, typeName string }

// A left is what requests have in common that are not listed.
type left struct{ address, rpc, why string }

// A note is what the report says of things of one kind: how many of the noun there were,
// between two texts. Without a noun, how many times.
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

// idleJudge returns a judge that only judges what it is given.
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

// name is the RPC without its service.
func (p *rpc) name() string { return path.Base(p.method) }

// see takes what has passed, if there is room, and returns at once.
func (j *judge) see(p *rpc) {
	j.mu.Lock()
	defer j.mu.Unlock()
	judged := tfcheck.Judged(p.name()) // else it has schemas, which can be asked for
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

// lose notes what has no answer to judge.
func (j *judge) lose(p *rpc, typeName string) {
	if tfcheck.Judged(p.name()) {
		j.notes[note{p.address + ": ", "request", strings.TrimRight(" "+p.name()+" "+typeName, " ") + " not answered"}]++
	}
}

// crash notes that a process of a provider has ended by itself.
func (j *judge) crash(address string, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	said, more, _ := strings.Cut(err.Error(), "\n")
	if more != "" && len(j.excerpts) < maxKinds {
		j.excerpts = append(j.excerpts, address+": "+err.Error())
	}
	j.note(note{before: address + ": " + said}, note{before: address + ": the provider ended by itself"})
}

// skip keeps that an RPC cannot be judged.
func (j *judge) skip(p *rpc, typeName string, why error) {
	j.keep(report.Subject{
		Group: p.address, RPC: p.name(), Type: typeName, Status: report.Skipped, Reason: why.Error(), Place: p.place,
	})
}

// judge judges an RPC. What cannot be judged is skipped.
func (j *judge) judge(p *rpc) {
	judged := p.judged
	if judged == nil {
		judged = p.judge
	}
	seen, err := judged()
	if len(seen) == 0 && (err == nil || !tfcheck.Judged(p.name())) {
		return // schemas
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

// judge returns what is to be said of an RPC, also if saying it goes wrong.
func (p *rpc) judge() ([]witness.Witnessed, error) {
	ctx, cancel := context.WithTimeout(context.Background(), schemaPatience)
	defer cancel()
	return exchanges.Guarded(func() ([]witness.Witnessed, error) {
		return p.witness.Judge(ctx, p.ask, p.method, p.request, p.response)
	})
}

// keep numbers the subject and keeps it, unless there are enough of its like.
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

// settle waits until what has been seen is judged, while there are providers to ask
// for schemas, but no longer than one may take to tell them.
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

// report waits until all is judged and returns the report. Nothing may be seen from
// then on.
func (j *judge) report() *report.Report {
	close(j.queue)
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.told("watch")
}

// told returns the report of what is judged so far.
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

// note counts a note, or another one if there are too many.
func (j *judge) note(n, other note) {
	if _, ok := j.notes[n]; !ok && len(j.notes) >= maxKinds {
		n = other
	}
	j.notes[n]++
}
