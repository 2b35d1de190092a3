package watch

import (
	"sync"
	"time"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/exchanges"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck"
)

// answerTimeout is the time limit for a check whose findings are added to the answer.
const answerTimeout = 10 * time.Second

// An annotator adds findings to the answers of providers.
type annotator struct {
	report tfcheck.Report
	known  func(report.Subject, report.Finding) bool
	limit  func() <-chan time.Time // starts the time limit of an answer, unless it is nil
	late   sync.Map                // the witnesses that exceeded the limit
}

// answer returns the response with findings added. It returns the original response if adding fails
// or takes too long.
func (c *checker) answer(p *rpc) []byte {
	if !tfcheck.Checks(p.name()) {
		return p.response // an RPC without rules, such as for schemas
	}
	p.results = sync.OnceValues(p.check)                   // the report uses the same results
	if _, late := c.annotator.late.Load(p.encoded); late { // do not wait again
		return c.untouched(p, tooLong)
	}
	limit := time.After(answerTimeout)
	if c.annotator.limit != nil {
		limit = c.annotator.limit()
	}
	done := make(chan func() []byte, 1)
	go func() {
		response, err := exchanges.Guarded(func() ([]byte, error) { return c.annotator.annotate(p) })
		if err != nil {
			done <- func() []byte { return c.untouched(p, err.Error()) }
			return
		}
		done <- func() []byte { return response }
	}()
	select {
	case answer := <-done:
		return answer()
	case <-limit:
		c.annotator.late.Store(p.encoded, true)
		return c.untouched(p, tooLong)
	}
}

const tooLong = "the check takes too long"

// untouched returns the original response, and notes why no findings are added to it.
func (c *checker) untouched(p *rpc, reason string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := note{p.address + ": no findings were added to ", "answer", " of " + p.name() + ": " + reason}
	c.note(n, note{n.before, n.noun, " of " + p.name() + ": other reasons"})
	return p.response
}

// annotate returns the response with the findings added, except known ones.
func (t *annotator) annotate(p *rpc) ([]byte, error) {
	seen, err := p.results()
	if err != nil {
		return nil, err
	}
	var found []tfcheck.Finding
	for _, w := range seen {
		s := report.Subject{Group: p.address, RPC: p.name(), Type: seen[len(seen)-1].TypeName} // as in the report
		for _, f := range w.Findings {
			if f = t.unknown(s, f); len(f.Violations) > 0 {
				found = append(found, f)
			}
		}
	}
	return p.encoded.Annotate(p.method, p.response, t.report, found...)
}

// unknown returns the finding without its known violations.
func (t *annotator) unknown(s report.Subject, f tfcheck.Finding) tfcheck.Finding {
	all := f.Violations
	f.Violations = nil
	for _, v := range all {
		one := f
		one.Violations = objchange.Violations{v}
		if !t.known(s, report.OfExchange(one)[0]) {
			f.Violations = append(f.Violations, v)
		}
	}
	return f
}
