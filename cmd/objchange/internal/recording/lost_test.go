package recording

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Two requests of one RPC in one millisecond write to the same file, and the
// first one's value is lost. Neither can be judged.
func TestSharedFile(t *testing.T) {
	one := sized(1, a)

	r := newRecorder(t)
	r.read(one)
	r.clock-- // time stands still
	r.read(sized(2, unknownID))
	r.read(one)

	expect(t, r, `
ReadResource test_thing -: skipped: 1_ReadResource_Response_NewState.msgpack was written 2 times, only the last is left
ReadResource test_thing -: skipped: 1_ReadResource_Response_NewState.msgpack was written 2 times, only the last is left
ReadResource test_thing -: judged
`)
}

// Files that hold nothing are all alike, and those of fields that judging can
// do without do not matter.
func TestSharedFileDoesNotMatter(t *testing.T) {
	one := sized(1, a)

	r := newRecorder(t)
	for range 2 {
		r.clock = 0
		r.request("ReadResource", field{"Request_CurrentState", one}, field{"Request_Private", cty.NilVal})
		r.clock = int64(10 * r.requests)
		r.file("ReadResource", field{"Response_NewState", one})
	}

	expect(t, r, `
ReadResource test_thing -: judged
ReadResource test_thing -: judged
`)
}

func TestMissingDataFile(t *testing.T) {
	r := newRecorder(t)
	r.read(sized(1, a))
	delete(r.data, "1_ReadResource_Response_NewState.msgpack")

	expect(t, r, `
ReadResource test_thing -: skipped: 1_ReadResource_Response_NewState.msgpack is missing
error: run/log.jsonl: no request could be judged, of 1: none of the data files that the log names is in run/data
`)
}

// A log may begin in the middle of a request.
func TestMissingField(t *testing.T) {
	r := newRecorder(t)
	r.request("ApplyResourceChange", field{"Request_PriorState", none}, field{"Response_NewState", none})

	expect(t, r, `
ApplyResourceChange test_thing -: skipped: the log names no Request_PlannedState
error: run/log.jsonl: no request could be judged, of 1: the first, in line 1: the log names no Request_PlannedState
`)
}

// What was asked is judged even where the provider returned an error.
func TestFailedRequest(t *testing.T) {
	config, altered := sized(1, noID), sized(2, noID)
	fields := []field{{"Request_Config", config}, {"Request_PriorState", none}}

	r := newRecorder(t)
	r.request("PlanResourceChange", append(fields, field{"Request_ProposedNewState", config})...)
	r.request("PlanResourceChange", append(fields, field{"Request_ProposedNewState", altered})...)
	r.plan(none, config, config, cty.NilVal)
	r.request("ImportResourceState")
	r.answered("ImportResourceState", 0)

	expect(t, r, `
PlanResourceChange test_thing -: failed: the provider did not respond, or with an error
PlanResourceChange test_thing -: failed: the provider did not respond, or with an error
  proposed-not-core .size: ...
PlanResourceChange test_thing -: failed: the provider returned no state, probably with an error
ImportResourceState test_thing -: failed: the provider imported nothing
`)
}

// The state that a failed apply left is kept by Core, so it is judged. It need
// not be what was planned.
func TestFailedApply(t *testing.T) {
	r := newRecorder(t)
	for _, state := range []cty.Value{sized(2, unknownID), cty.StringVal("no thing"), cty.NilVal} {
		r.apply(none, sized(1, unknownID), state)
		r.answered("ApplyResourceChange", 1)
	}
	r.data["6_ApplyResourceChange_Response_NewState.msgpack"].Data = []byte("\x80")

	found, err := r.replay()
	got := text(found)
	const want = `ApplyResourceChange test_thing create: failed: the provider returned an error
  state-unknown .id: the value is unknown, but a state must be wholly known
ApplyResourceChange test_thing -: failed: the provider returned an error
  type-mismatch : .id: is missing
ApplyResourceChange test_thing create: failed: the provider returned an error
`
	if !matches(got, want) || err != nil {
		t.Errorf("%v\n%s", err, got)
	}
}

// A response without a state is a null one if the log says that there was no
// error.
func TestEmptyResponse(t *testing.T) {
	r := newRecorder(t)
	r.apply(sized(1, a), none, cty.NilVal)
	r.answered("ApplyResourceChange", 0)

	expect(t, r, `
ApplyResourceChange test_thing delete: judged
`)
}

// Several imported objects may be of several types, which the log does not
// tell.
func TestImportOfSeveralTypes(t *testing.T) {
	r := newRecorder(t)
	r.request("ImportResourceState",
		field{"Response_ImportedResource_State", sized(1, a)},
		field{"Response_ImportedResource_State", cty.EmptyObjectVal})

	expect(t, r, `
ImportResourceState test_thing -: skipped: the log does not tell the types of several imported objects
error: run/log.jsonl: no request could be judged, of 1: the first, in line 1: the log does not tell the types of several imported objects
`)
}
