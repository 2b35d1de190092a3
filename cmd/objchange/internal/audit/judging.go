package audit

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
)

// A judging is what came of judging one or more objects.
type judging struct {
	subjects []report.Subject
	notes    []string
	judged   bool // something was held against a schema
	deferred int  // how many objects are, of which there may be nothing to judge
}

// A task judges an object.
type task func(*judging) error

// do does the tasks on all processors, and adds what comes of them in their order.
// The error is the first in that order.
func (j *judging) do(tasks []task) error {
	done, errs := make([]judging, len(tasks)), make([]error, len(tasks))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(tasks)); i = next.Add(1) - 1 {
				if errs[i] = tasks[i](&done[i]); errs[i] != nil {
					next.Store(int64(len(tasks))) // those before it are done, or begun
				}
			}
		})
	}
	workers.Wait()
	for i := range done {
		if errs[i] != nil {
			return errs[i]
		}
		j.subjects = append(j.subjects, done[i].subjects...)
		j.notes = append(j.notes, done[i].notes...)
		j.judged = j.judged || done[i].judged
		j.deferred += done[i].deferred
	}
	return nil
}

// add adds what came of an object, with its place: with line and column if there is
// anything to look for.
func (j *judging) add(k key, action string, at *place, s report.Subject) {
	s.Columns = []string{k.String(), action}
	s.Place = report.Place{File: at.name, Pointer: at.pointer()}
	if len(s.Findings) > 0 || s.Status != report.Judged {
		where := at.position(at.begin(at.span))
		s.Place.Line, s.Place.Column = where.line, where.column
	}
	j.subjects = append(j.subjects, s)
}
