package conformance

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// answerLine is an answer in JSON.
type answerLine struct {
	ID string `json:"id"`
	Op Op     `json:"op"`
	outcomeLine
}

// AnswerTo returns the id and the operation of the case that a line answers.
func AnswerTo(line []byte) (id string, op Op, err error) {
	var answer answerLine
	if err := json.Unmarshal(line, &answer); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			return "", "", fmt.Errorf("%s must not be a JSON %s", cmp.Or(wrong.Field, "it"), wrong.Value)
		}
		return "", "", errors.New("it is not JSON")
	}
	if answer.ID == "" || answer.Op == "" {
		return "", "", errors.New("id or op is missing")
	}
	return answer.ID, answer.Op, nil
}

// ParseAnswer parses a line that answers the case. It returns an error if the line is not JSON,
// answers another case, does not have exactly one of value, errors and unsupported, or has a
// value that does not conform.
func (c *Case) ParseAnswer(line []byte, codec Codec) (Outcome, error) {
	id, op, err := AnswerTo(line)
	if err != nil {
		return Outcome{}, err
	}
	if id != c.ID || op != c.Op {
		return Outcome{}, fmt.Errorf("the answer is for %q %s, not for %q %s", id, op, c.ID, c.Op)
	}
	var answer answerLine
	if err := json.Unmarshal(line, &answer); err != nil {
		return Outcome{}, err
	}
	if answer.Value == nil && answer.Errors == nil && answer.Unsupported == nil {
		return Outcome{}, errors.New("it has none of value, errors and unsupported")
	}
	o, err := c.outcome(answer.outcomeLine, codec)
	if err == nil && o.Kind == KindValue && c.Op.Checks() {
		err = errors.New("it has a value, but must have errors")
	}
	return o, err
}

// AnswerLine returns the line that answers the case with the outcome, without a line break.
func (c *Case) AnswerLine(o Outcome, codec Codec) ([]byte, error) {
	line, err := c.line(o, codec)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), err)
	}
	return json.Marshal(answerLine{c.ID, c.Op, line})
}

// Serve implements an adapter. It reads cases and writes the answer to each case before it
// reads the next one. The answer to an unknown operation is unsupported. Serve returns nil at
// the end of the input.
func Serve(r io.Reader, w io.Writer, codec Codec, answer func(*Case) Outcome) error {
	for c, err := range Read(r, codec) {
		var o Outcome
		switch {
		case errors.Is(err, errNoOp):
			o = UnsupportedOutcome("unknown operation")
		case err != nil:
			return err
		default:
			o = answer(c)
		}
		line, err := c.AnswerLine(o, codec)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// Answer returns the outcome of the package objchange for the case.
func Answer(c *Case) Outcome {
	schema, err := objchange.Compile(c.Schema.Block)
	if err != nil {
		return ErrorsOutcome(Problem{Message: err.Error()})
	}
	in := c.In
	switch c.Op {
	case OpProposed:
		return made(objchange.ProposedNew(schema, in["prior"], in["config"]))
	case OpData:
		return made(objchange.PlannedDataResource(schema, in["config"]))
	case OpLegacy:
		return made(objchange.NormalizeLegacySDK(schema, in["value"]))
	case OpPrepare:
		return made(objchange.PrepareComputedBlocks(schema, in["config"]))
	case OpComputed:
		return made(objchange.PlanComputed(schema, in["proposed"]))
	case OpPlan:
		return found(objchange.AssertPlanValid(schema, in["prior"], in["config"], in["planned"]))
	case OpReplan:
		return found(objchange.AssertPlanConsistent(schema, in["initial"], in["final"]))
	case OpApply:
		return found(objchange.AssertApplyConsistent(schema, in["planned"], in["applied"]))
	}
	return UnsupportedOutcome("unknown operation")
}

// made returns the outcome of a function that returns a value.
func made(v cty.Value, err error) Outcome {
	if err != nil {
		return ErrorsOutcome(Problem{Message: err.Error()})
	}
	return ValueOutcome(v)
}

// found returns the outcome of a check: the violations that Core rejects.
func found(violations objchange.Violations) Outcome {
	o := ErrorsOutcome()
	for _, v := range violations.Rejected() {
		path := objchange.PathString(v.Path)
		o.Problems = append(o.Problems, Problem{Path: &path, Rule: string(v.Rule), Message: v.Message})
	}
	return o
}
