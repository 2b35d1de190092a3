package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/conformance"
)

// A lie is the kind of a wrong answer of the test adapter.
type lie string

const (
	truth       lie = ""
	wrongValue  lie = "wrong value"
	wrongAccept lie = "wrong verdict"
	wrongNaming lie = "wrong naming"
	garbage     lie = "garbage"
	anotherCase lie = "another case"
	twice       lie = "twice"
	misfit      lie = "misfit"
	crash       lie = "crash"
	silence     lie = "silence"
	unsupported lie = "unsupported"
)

// verdicts are the expected verdicts for the lies.
var verdicts = map[lie]conformance.Verdict{
	truth: conformance.VerdictSame, wrongValue: conformance.VerdictValue, wrongAccept: conformance.VerdictAcceptance, wrongNaming: conformance.VerdictNaming,
	garbage: conformance.VerdictMalformed, anotherCase: conformance.VerdictMalformed, twice: conformance.VerdictMalformed,
	misfit: conformance.VerdictMalformed, crash: conformance.VerdictCrashed, silence: conformance.VerdictSilent,
	unsupported: conformance.VerdictUnsupported,
}

// verdictOf returns the expected verdict for the answer of the test adapter.
func verdictOf(c *conformance.Case) conformance.Verdict {
	l := lieOf(c)
	if v := verdicts[l]; l != wrongValue && l != wrongAccept && l != wrongNaming {
		return v
	}
	return c.Compare(lied(c, l)).Verdict
}

// lieOf returns the lie for a case. It depends on the name of the case. It is truth if the lie
// is impossible for the case.
func lieOf(c *conformance.Case) lie {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(c.Name()))
	n := hash.Sum32() / 7
	if n%401 == 0 {
		return silence
	}
	some := []lie{
		wrongValue, wrongAccept, wrongNaming, wrongValue, wrongAccept, wrongNaming, unsupported, garbage, anotherCase, twice, misfit, crash,
	}
	if n%90 >= uint32(len(some)) {
		return truth
	}
	l := some[n%90]
	right := conformance.Answer(c)
	switch {
	case l == wrongValue && (c.Op.Checks() || right.Kind != conformance.KindValue || right.Value.IsNull()),
		l == wrongNaming && (!c.Op.Checks() || len(right.Problems) == 0),
		l == wrongAccept && !c.Op.Checks():
		return truth
	}
	return l
}

// liar is an adapter that gives wrong answers, as lieOf decides.
func liar() {
	for c, err := range conformance.Read(os.Stdin, conformance.MessagePack{}) {
		if err != nil {
			panic(err)
		}
		l := lieOf(c)
		line, err := c.AnswerLine(lied(c, l), conformance.MessagePack{})
		if err != nil {
			panic(err)
		}
		line = append(line, '\n')
		switch l {
		case garbage:
			line = []byte("no JSON\n")
		case anotherCase:
			line = bytes.Replace(line, []byte(`{"id":"`), []byte(`{"id":"not-`), 1)
		case misfit:
			line = fmt.Appendf(nil, `{"id":%q,"op":%q,"value":"gQ=="}`+"\n", c.ID, c.Op)
		case twice:
			line = append(line, line...)
		case crash:
			fmt.Fprintln(os.Stderr, "out of ideas")
			os.Exit(3)
		case silence:
			time.Sleep(time.Hour)
		}
		if _, err := os.Stdout.Write(line); err != nil {
			os.Exit(1)
		}
	}
}

// lied returns the outcome for the lie.
func lied(c *conformance.Case, l lie) conformance.Outcome {
	right := conformance.Answer(c)
	switch {
	case l == wrongValue:
		return conformance.ValueOutcome(cty.NullVal(c.Schema.Block.ImpliedType()))
	case l == wrongAccept && len(right.Problems) > 0:
		return conformance.ErrorsOutcome()
	case l == wrongAccept || l == wrongNaming:
		path := ".nowhere"
		return conformance.ErrorsOutcome(conformance.Problem{Path: &path, Rule: "misnamed"})
	case l == unsupported:
		return conformance.UnsupportedOutcome("too much work")
	}
	return right
}

// serve is an adapter with the outcomes of a function.
func serve(answer func(*conformance.Case) conformance.Outcome) {
	if err := conformance.Serve(os.Stdin, os.Stdout, conformance.MessagePack{}, answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// replies is an adapter that takes its answers from the lines of a file. Other cases are
// unsupported.
func replies() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(text)) {
		id, op, err := conformance.AnswerTo([]byte(line))
		if err != nil {
			panic(err)
		}
		lines[id+" "+string(op)] = line
	}
	for c, err := range conformance.Read(os.Stdin, messagePack{}) {
		if err != nil {
			panic(err)
		}
		line := lines[c.Name()]
		if line == "" {
			line = fmt.Sprintf(`{"id": %q, "op": %q, "unsupported": true}`+"\n", c.ID, c.Op)
		}
		fmt.Print(line)
	}
}

// forgetful is an adapter that ignores the prior state and proposes the configuration.
func forgetful() {
	serve(func(c *conformance.Case) conformance.Outcome { return conformance.ValueOutcome(c.In["config"]) })
}

// mute is an adapter that waits for a case, creates the file in its argument, and never
// answers.
func mute() {
	_, _ = os.Stdin.Read(make([]byte, 1))
	if name := strings.Join(os.Args[1:], ""); name != "" {
		_ = os.WriteFile(name, nil, 0o600)
	}
	time.Sleep(time.Hour)
}
