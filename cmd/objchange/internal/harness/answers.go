package harness

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/conformance"
)

// Answers are what somebody has written, by the names of cases: lines, of which a case has
// one.
type Answers struct {
	name  string
	lines map[string][][]byte
}

// ReadAnswers reads a file of answers, which may be compressed.
func ReadAnswers(name string, in io.Reader) (*Answers, error) {
	plain, err := uncompressed(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a := &Answers{name, map[string][][]byte{}}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, conformance.LongestLine)
	for number := 1; lines.Scan(); number++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		id, op, err := conformance.AnswerTo(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, number, err)
		}
		key := id + " " + string(op)
		a.lines[key] = append(a.lines[key], bytes.Clone(line))
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return a, nil
}

// To returns the answer to a case, if there is one.
func (a *Answers) To(c *conformance.Case) (o conformance.Outcome, there bool, err error) {
	lines := a.lines[c.Name()]
	switch len(lines) {
	case 0:
		return o, false, nil
	case 1:
		o, err = c.ParseAnswer(lines[0], document.Codec{})
	default:
		err = fmt.Errorf("it is answered %d times", len(lines))
	}
	return o, true, err
}

// Wanted returns the answer to a case to which others are held, unless there is none or
// it is that the case is not supported.
func (a *Answers) Wanted(c *conformance.Case) (conformance.Outcome, bool, error) {
	o, there, err := a.To(c)
	if err != nil {
		err = fmt.Errorf("%s: %s: %w", a.name, c.Name(), err)
	}
	return o, there && o.Kind != conformance.KindUnsupported, err
}

// Judge reports on the answers to the cases, with the smallest of those that are wrong, up
// to the limit, in full.
func (a *Answers) Judge(cases Cases, limit int) (*report.Report, error) {
	t := newTally(limit)
	answered := map[string]bool{}
	for c, err := range cases {
		if err != nil {
			return t.report(), err
		}
		rec := newUnasked(c, "not asked: there is no answer to it")
		o, there, err := a.To(c)
		switch {
		case err != nil:
			rec.fail(&fault{verdict: conformance.VerdictMalformed, reason: err.Error()})
		case there:
			rec = newRecord(c, o)
		}
		if there {
			answered[c.Name()] = true
		}
		t.add(smallest([]*record{rec}, limit)[0])
	}
	if idle := len(a.lines) - len(answered); idle > 0 {
		t.note(fmt.Sprintf("%s: %s to none of the cases", a.name, words.Plural(idle, "answer")))
	}
	return t.report(), nil
}
