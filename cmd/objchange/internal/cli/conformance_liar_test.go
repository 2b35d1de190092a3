package cli_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// A lie is what the adapter of the tests does wrong with a case.
type lie string

const (
	truth       lie = ""
	wrongValue  lie = "wrong value"
	wrongAccept lie = "wrong verdict"
	wrongNaming lie = "wrong naming"
	garbage     lie = "garbage"
	anotherCase lie = "another case"
	twice       lie = "twice"
	twiceLater  lie = "twice, the second time later"
	misfit      lie = "misfit"
	crash       lie = "crash"
	silence     lie = "silence"
	unsupported lie = "unsupported"
)

// verdicts are what the lies are to be told as.
var verdicts = map[lie]conformance.Verdict{
	truth: conformance.VerdictSame, wrongValue: conformance.VerdictValue, wrongAccept: conformance.VerdictAcceptance, wrongNaming: conformance.VerdictNaming,
	garbage: conformance.VerdictMalformed, anotherCase: conformance.VerdictMalformed, twice: conformance.VerdictMalformed, twiceLater: conformance.VerdictMalformed,
	misfit: conformance.VerdictMalformed, crash: conformance.VerdictCrashed, silence: conformance.VerdictSilent,
	unsupported: conformance.VerdictUnsupported,
}

// lies are all of them.
var lies = slices.Sorted(maps.Keys(verdicts))

// verdictOf returns what the adapter is to be told of a case, of which it knows the recorded
// outcomes: where there is none to rely on, any answer is right.
func verdictOf(c *conformance.Case) conformance.Verdict {
	v := verdicts[lieOf(c)]
	switch kind := c.Right().Kind; {
	case kind != conformance.KindPanic && kind != conformance.KindSkip:
	case v == conformance.VerdictValue || v == conformance.VerdictAcceptance || v == conformance.VerdictNaming:
		return conformance.VerdictSame
	}
	return v
}

// lieOf returns what the adapter does with a case: by its name, if the lie is possible.
func lieOf(c *conformance.Case) lie {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(c.Name()))
	n := hash.Sum32() / 7
	if n%1153 == 0 {
		return silence
	}
	l := slices.Concat([]lie{
		wrongValue, wrongAccept, wrongNaming, wrongValue, wrongAccept, wrongNaming, unsupported,
		garbage, anotherCase, twice, twiceLater, misfit, crash,
	}, make([]lie, 77))[n%90]
	right := conformance.Ask(c)
	switch {
	case l == wrongValue && (c.Op.Checks() || right.Kind != conformance.KindValue || right.Value.IsNull()),
		l == wrongNaming && (!c.Op.Checks() || len(right.Problems) == 0 || computedBlocks(c.Schema.Block)),
		l == wrongAccept && !c.Op.Checks():
		return truth
	}
	return l
}

func computedBlocks(b *configschema.Block) bool {
	for _, nb := range b.BlockTypes {
		if nb.Computed || computedBlocks(&nb.Block) {
			return true
		}
	}
	return false
}

// misnamed is a rule that there is not.
const misnamed = "misnamed"

// liar answers cases by lieOf.
func liar() {
	var last *conformance.Case
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
			if last != nil {
				line = bytes.Replace(line, []byte(c.ID), []byte(last.ID+"-more"), 1)
			}
		case misfit:
			line = fmt.Appendf(nil, `{"id":%q,"op":%q,"value":"gQ=="}`+"\n", c.ID, c.Op)
		case twice:
			line = append(line, line...)
		case crash:
			fmt.Fprintln(os.Stderr, "out of ideas")
			os.Exit(3)
		case silence:
			select {}
		}
		say(line)
		if l == twiceLater {
			time.Sleep(time.Millisecond)
			say(line)
		}
		last = c
	}
}

// lied returns an answer that is wrong in its way, or right.
func lied(c *conformance.Case, l lie) conformance.Outcome {
	right := conformance.Ask(c)
	switch {
	case l == wrongValue:
		return conformance.ValueOutcome(cty.NullVal(c.Schema.Block.ImpliedType()))
	case l == wrongAccept && len(right.Problems) > 0:
		return conformance.ErrorsOutcome()
	case l == wrongAccept || l == wrongNaming:
		path := ".nowhere"
		return conformance.ErrorsOutcome(conformance.Problem{Path: &path, Rule: misnamed})
	case l == unsupported:
		return conformance.UnsupportedOutcome("too much work")
	}
	return right
}

func say(line []byte) {
	if _, err := os.Stdout.Write(line); err != nil {
		os.Exit(1)
	}
}

// serve is an adapter that answers so.
func serve(answer func(*conformance.Case) conformance.Outcome) {
	if err := conformance.Serve(os.Stdin, os.Stdout, conformance.MessagePack{}, answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func init() {
	scriptCommands["liar"] = liar
	scriptCommands["adapter"] = func() { serve(conformance.Ask) }
	scriptCommands["forgetful"] = func() { // proposes what is configured, whatever was before
		serve(func(c *conformance.Case) conformance.Outcome { return conformance.ValueOutcome(c.In["config"]) })
	}
	scriptCommands["mute"] = func() { // waits for a case, tells so by the file, and says nothing
		_, _ = os.Stdin.Read(make([]byte, 1))
		if name := strings.Join(os.Args[1:], ""); name != "" {
			_ = os.WriteFile(name, nil, 0o600)
		}
		select {}
	}
}
