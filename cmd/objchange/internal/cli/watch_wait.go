package cli

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
)

// A tally counts what is judged while watch waits.
type tally struct {
	known              func(report.Subject, report.Finding) bool // what is not counted
	requests, findings atomic.Int64
}

// add counts a request and its findings.
func (c *tally) add(s report.Subject) {
	for _, f := range s.Findings {
		if !c.known(s, f) {
			c.findings.Add(1)
		}
	}
	c.requests.Add(1)
}

func (c *tally) String() string {
	return fmt.Sprintf("watching: %s, %s", words.Plural(int(c.requests.Load()), "request"), words.Plural(int(c.findings.Load()), "finding"))
}

// wait waits for a signal. On a terminal it shows how much is judged.
func (a *app) wait(signals <-chan os.Signal, judged *tally) {
	line := a.term.Line()
	defer line.Done()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		line.Show(judged.String())
		select {
		case <-signals:
			return
		case <-tick.C:
		}
	}
}
