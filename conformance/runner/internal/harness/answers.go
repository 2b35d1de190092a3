package harness

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/conformance/runner/internal/cases"
)

// Answers are what somebody has written, by the names of cases: a case should have one line.
type Answers struct {
	name  string
	lines map[string][][]byte
}

// ReadAnswers reads a file of answers, which gzip may have compressed.
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

// to returns the answer to a case, if there is one.
func (a *Answers) to(c *conformance.Case) (o conformance.Outcome, found bool, err error) {
	lines := a.lines[c.Name()]
	switch len(lines) {
	case 0:
		return o, false, nil
	case 1:
		o, err = c.ParseAnswer(lines[0], cases.JSON{})
	default:
		err = fmt.Errorf("it is answered %d times", len(lines))
	}
	return o, true, err
}

// Judge scores the answers to the cases, with the smallest of the wrong ones in full, up to
// the limit.
func (a *Answers) Judge(cases Cases, limit int) (*Report, error) {
	t := newTally(limit)
	answered := map[string]bool{}
	for c, err := range cases {
		if err != nil {
			return t.report(), err
		}
		o, found, err := a.to(c)
		switch {
		case err != nil:
			t.add(newWrong(c, conformance.VerdictMalformed, err.Error()))
		case found:
			t.add(newRecord(c, o))
		default:
			t.add(newUnasked(c, "not asked: there is no answer to it"))
		}
		if found {
			answered[c.Name()] = true
		}
	}
	if idle := len(a.lines) - len(answered); idle > 0 {
		t.note(fmt.Sprintf("%s: answers to %d other cases", a.name, idle))
	}
	return t.report(), nil
}
