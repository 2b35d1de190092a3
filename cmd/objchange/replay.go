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
	for _, dir := range dirs {
		rec, err := readRecording(dir)
		if err != nil {
			return sum, err
		}
		results, err := rec.judge(schemas)
		printRecording(out, filepath.Base(dir), results)
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
	judge    func(*objchange.Block, fields, *result)
}

// judgements has the RPCs that are judged. The others have nothing to do with
// the change of a resource instance.
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

// fields are the values of a request and of its response, by field. Only the
// response to an import may have several; that of a request that failed has
// none.
type fields map[string][]cty.Value

// one returns the value of a field that has one.
func (f fields) one(field string) cty.Value { return f[field][0] }

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
	values, err := rec.values(req, how, res.failed == "", schema.ImpliedType())
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

// values reads the values of the request and, if it is to be judged, of the
// response.
func (rec *recording) values(req *request, how judgement, response bool, ty cty.Type) (fields, error) {
	names := how.request
	if response {
		names = append([]string{how.response}, names...)
	}
	values := fields{}
	for _, name := range names {
		for _, file := range req.files[name] {
			value, err := rec.decode(file, ty)
			if err != nil {
				return nil, err
			}
			values[name] = append(values[name], value)
		}
	}
	return values, nil
}

// judgePlan makes the proposal again, compares it with the one that Core sent,
// and judges the planned state. For a delete Core proposes null without asking
// what ProposedNew would propose, which is null as well.
func judgePlan(schema *objchange.Block, v fields, res *result) {
	prior, config := v.one("Request_PriorState"), v.one("Request_Config")
	proposed, err := objchange.ProposedNew(schema, prior, config)
	if err != nil {
		res.violations = asViolations(err)
		return
	}
	res.differs = compare(schema, v.one("Request_ProposedNewState"), proposed)
	if res.failed != "" {
		return
	}
	planned := v.one("Response_PlannedState")
	res.action = objchange.PlanAction(prior, planned, false)
	res.violations = objchange.AssertPlanValid(schema, prior, config, planned)
}

// judgeApply judges the new state.
func judgeApply(schema *objchange.Block, v fields, res *result) {
	planned := v.one("Request_PlannedState")
	res.action = objchange.PlanAction(v.one("Request_PriorState"), planned, false)
	if res.failed == "" {
		res.violations = objchange.AssertApplyConsistent(schema, planned, v.one("Response_NewState"))
	}
}

// judgeState judges a state that describes reality: each value of the one
// field that there is.
func judgeState(schema *objchange.Block, v fields, res *result) {
	for _, states := range v {
		for _, state := range states {
			res.violations = append(res.violations, objchange.AssertStateValid(schema, state)...)
		}
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
