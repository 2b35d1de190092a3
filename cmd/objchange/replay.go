package main

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// replay judges the recordings in dir, prints the report and returns its
// summary. It fails at the first input that cannot be read, after printing
// what was judged before it.
func replay(dir, schemasFile string, out io.Writer) (summary, error) {
	dirs, err := findRecordings(dir)
	if err != nil {
		return summary{}, err
	}
	schemas, err := readSchemas(schemasFile, dir)
	if err != nil {
		return summary{}, err
	}
	var sum summary
	for _, run := range dirs {
		rec, err := readRecording(run)
		if err != nil {
			return sum, err
		}
		results, err := rec.judge(schemas)
		printRecording(out, filepath.Base(run), results)
		if err != nil {
			return sum, err
		}
		sum.add(results)
	}
	sum.print(out)
	return sum, nil
}

// A judgement is how the requests of one RPC are judged: from which fields, and
// by which rules.
type judgement struct {
	request  []string // the fields of the request, as data files name them
	response string   // the field of the response
	judge    func(*objchange.Block, exchange, *result)
}

// judgements has the RPCs that are judged.
var judgements = map[string]judgement{
	"UpgradeResourceState": {nil, "Response_UpgradedState", judgeState},
	"ImportResourceState":  {nil, "Response_ImportedResource_State", judgeState},
	"ReadResource":         {nil, "Response_NewState", judgeState},
	"PlanResourceChange": {
		[]string{"Request_Config", "Request_PriorState", "Request_ProposedNewState"},
		"Response_PlannedState", judgePlan,
	},
	"ApplyResourceChange": {
		[]string{"Request_PriorState", "Request_PlannedState"},
		"Response_NewState", judgeApply,
	},
}

// An exchange is the values of a request and of its response.
type exchange struct {
	request  map[string]cty.Value // by field
	response []cty.Value          // none if the request failed; several only for an import
}

// A result is what is told of one request.
type result struct {
	request    *request
	judged     bool // its RPC is one of those that are judged
	action     objchange.Action
	skipped    string // why it cannot be judged
	failed     string // why there is no answer to judge
	differs    []difference
	violations objchange.Violations
}

// judge judges each request of the recording.
func (rec *recording) judge(schemas *objchange.ProviderSchemas) ([]*result, error) {
	var results []*result
	for _, req := range rec.requests {
		res, err := rec.judgeRequest(req, schemas)
		if err != nil {
			return results, err
		}
		results = append(results, res)
	}
	return results, nil
}

func (rec *recording) judgeRequest(req *request, schemas *objchange.ProviderSchemas) (*result, error) {
	res := &result{request: req}
	how, ok := judgements[req.rpc]
	if !ok {
		return res, nil
	}
	res.judged = true

	schema, why := findSchema(schemas, req)
	if why != "" {
		res.skipped = why
		return res, nil
	}
	if res.skipped = rec.whySkip(req, how); res.skipped != "" {
		return res, nil
	}
	res.failed = req.whyFailed(how.response)
	values, err := rec.exchange(req, how, res.failed == "", schema.ImpliedType())
	if err != nil {
		return nil, err
	}
	how.judge(schema, values, res)
	return res, nil
}

// whySkip returns why the data files do not tell the request and its response,
// or "" if they do. Files of fields that no judgement needs do not matter.
func (rec *recording) whySkip(req *request, how judgement) string {
	for _, field := range how.request {
		if len(req.files[field]) == 0 {
			return "the log names no " + field
		}
	}
	for _, field := range append([]string{how.response}, how.request...) {
		for _, file := range req.files[field] {
			if why := rec.unusable(file); why != "" {
				return why
			}
		}
	}
	return ""
}

// whyFailed returns why the provider's response is none that Core would judge,
// or "" if it is one.
func (req *request) whyFailed(response string) string {
	files := req.files[response]
	switch {
	case req.errors != nil && *req.errors > 0:
		return "the provider returned an error"
	case len(files) == 0:
		return "the provider did not respond, or with an error"
	case req.errors == nil && files[0].format == "empty":
		// A null state is written as such. One that is not there at all is
		// what comes with an error, unless the log says that there was none.
		return "the provider returned no state, probably with an error"
	}
	return ""
}

// exchange reads the values of the request and, if it was answered, of the
// response.
func (rec *recording) exchange(req *request, how judgement, answered bool, ty cty.Type) (exchange, error) {
	values := exchange{request: map[string]cty.Value{}}
	for _, field := range how.request {
		value, err := rec.decode(req.files[field][0], ty)
		if err != nil {
			return exchange{}, err
		}
		values.request[field] = value
	}
	if !answered {
		return values, nil
	}
	for _, file := range req.files[how.response] {
		value, err := rec.decode(file, ty)
		if err != nil {
			return exchange{}, err
		}
		values.response = append(values.response, value)
	}
	return values, nil
}

// judgePlan makes the proposal again, compares it with the one that Core sent,
// and judges the planned state. For a delete Core sends null without making a
// proposal, and null is what ProposedNew makes of a null configuration.
func judgePlan(schema *objchange.Block, v exchange, res *result) {
	prior, config := v.request["Request_PriorState"], v.request["Request_Config"]
	proposed, err := objchange.ProposedNew(schema, prior, config)
	if err != nil {
		res.violations = asViolations(err)
		return
	}
	res.differs = compare(schema, v.request["Request_ProposedNewState"], proposed)
	for _, planned := range v.response {
		res.action = objchange.PlanAction(prior, planned, false)
		res.violations = objchange.AssertPlanValid(schema, prior, config, planned)
	}
}

// judgeApply judges the new state.
func judgeApply(schema *objchange.Block, v exchange, res *result) {
	planned := v.request["Request_PlannedState"]
	res.action = objchange.PlanAction(v.request["Request_PriorState"], planned, false)
	for _, applied := range v.response {
		res.violations = objchange.AssertApplyConsistent(schema, planned, applied)
	}
}

// judgeState judges each state that the provider returned to describe reality.
func judgeState(schema *objchange.Block, v exchange, res *result) {
	for _, state := range v.response {
		res.violations = append(res.violations, objchange.AssertStateValid(schema, state)...)
	}
}

// asViolations returns the violation that the error of a function that makes
// values is.
func asViolations(err error) objchange.Violations {
	var v *objchange.Violation
	if !errors.As(err, &v) {
		v = &objchange.Violation{Rule: objchange.RuleInvalidInput, Message: err.Error(), Enforced: true}
	}
	return objchange.Violations{v}
}
