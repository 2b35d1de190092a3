package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"time"

	"github.com/objchange/objchange/conformance"
)

// verdicts are the kinds of answers of the test adapter, with their verdicts. Package conformance
// tests the verdicts for answers that are only wrong.
var verdicts = []struct {
	lie     string
	verdict conformance.Verdict
}{
	{"another outcome", conformance.VerdictAcceptance}, {"unsupported", conformance.VerdictUnsupported}, {"garbage", conformance.VerdictMalformed},
	{"another case", conformance.VerdictMalformed}, {"twice", conformance.VerdictMalformed}, {"misfit", conformance.VerdictMalformed}, {"crash", conformance.VerdictCrashed},
}

// lieOf returns the kind of the answer to a case, and its verdict. It depends on the name of the case.
func lieOf(c *conformance.Case) (lie string, verdict conformance.Verdict) {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(c.Name()))
	switch n := hash.Sum32() / 7; {
	case n%401 == 0:
		return "silence", conformance.VerdictSilent
	case n%90 < uint32(len(verdicts)):
		v := verdicts[n%90]
		return v.lie, v.verdict
	}
	return "", conformance.VerdictSame
}

// liar is an adapter that gives wrong answers, as lieOf decides.
func liar() {
	for c, err := range conformance.Read(os.Stdin, conformance.MessagePack{}) {
		if err != nil {
			panic(err)
		}
		lie, _ := lieOf(c)
		outcome := conformance.Answer(c)
		switch {
		case lie == "unsupported":
			outcome = conformance.UnsupportedOutcome("too much work")
		case lie == "another outcome" && c.Op.Checks() && len(outcome.Problems) > 0:
			outcome = conformance.ErrorsOutcome()
		case lie == "another outcome":
			outcome = conformance.ErrorsOutcome(conformance.Problem{Rule: "misnamed"})
		}
		line, err := c.AnswerLine(outcome, conformance.MessagePack{})
		if err != nil {
			panic(err)
		}
		line = append(line, '\n')
		switch lie {
		case "garbage":
			line = []byte("no JSON\n")
		case "another case":
			line = bytes.Replace(line, []byte(`{"id":"`), []byte(`{"id":"not-`), 1)
		case "misfit":
			line = fmt.Appendf(nil, `{"id":%q,"op":%q,"value":"gQ=="}`+"\n", c.ID, c.Op)
		case "twice":
			line = append(line, line...)
		case "crash":
			fmt.Fprintln(os.Stderr, "out of ideas")
			os.Exit(3)
		case "silence":
			time.Sleep(time.Hour)
		}
		if _, err := os.Stdout.Write(line); err != nil {
			os.Exit(1)
		}
	}
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

// jsonReader is an adapter that supports only proposals, and fails because their values are MessagePack.
func jsonReader() {
	serve(func(c *conformance.Case) conformance.Outcome {
		if c.Op != conformance.OpProposed {
			return conformance.UnsupportedOutcome("")
		}
		os.Exit(1)
		return conformance.Outcome{}
	})
}
