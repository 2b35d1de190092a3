package objchange

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/print"
	"github.com/objchange/objchange/internal/values"
)

// This file converts faults to violations. Only this file writes messages and decides what they
// may show.

// violations returns the violations of the review. It does not allocate if there are none.
func (r review) violations() Violations {
	if len(r.faults) == 0 {
		return nil
	}
	return r.findings(nil).sorted()
}

// err returns the violations of the review as an *InputError.
func (r review) err() error { return &InputError{Problems: r.violations()} }

// findings returns the violations of the review. Values that are marked in others are hidden as
// well.
func (r review) findings(others []cty.Value) (found placedViolations) {
	m := r.messenger()
	m.elsewhere = others
	for i := range r.faults {
		f := r.faults[i]
		if r.conceals {
			m.conceal(&f)
		}
		found = append(found, m.violation(&f))
	}
	return found
}

// rescue turns a panic, for example of an operation of a capsule type, into a violation. The
// violation does not show the panic value, which may contain data.
func rescue(found *Violations) {
	if recover() != nil {
		*found = panicViolation()
	}
}

func panicViolation() Violations {
	var r review
	r.reject(&inputFault{problem: panicked})
	return r.violations()
}

// rescueError is like rescue for functions that return an error.
func rescueError[V any](v *V, err *error) {
	if recover() != nil {
		var none V
		*v, *err = none, &InputError{Problems: panicViolation()}
	}
}

// A messenger writes the messages of one review.
type messenger struct {
	root   *node
	given  []cty.Value
	places []*paths.Place // in the given values; set when the first path from the caller is followed
	// marked are the given values that contain marks. elsewhere are other values of the same
	// resource that contain marks. A value that is marked in one of them is hidden in messages.
	marked, elsewhere []cty.Value
	attribute         []paths.Step // the argument of the last call of marksIn
	marksInside       bool         // the result of the last call of marksIn
}

func (r *review) messenger() messenger {
	m := messenger{root: &node{}, given: r.given[:]}
	if r.schema.compiled() {
		m.root = r.schema.root
	}
	for _, v := range m.given {
		if v != cty.NilVal && values.HoldsMarks(v) {
			m.marked = append(m.marked, v)
		}
	}
	return m
}

// A spot is the place of a fault and the parts of it that must not be shown.
type spot struct {
	node   *node
	hide   int  // the first step whose names and keys are hidden; -1 if none is hidden
	secret bool // values are hidden
}

// spot returns the spot at the steps.
func (m *messenger) spot(steps []paths.Step) spot {
	at := spot{node: m.root, hide: -1}
	for i, s := range steps {
		if child := at.node.child(s.Name); child != nil && s.Kind == paths.ByName {
			at.node = child
			if child.secret() && at.hide < 0 {
				at.hide = i + 1
			}
		}
	}
	for _, marked := range [][]cty.Value{m.marked, m.elsewhere} {
		for _, v := range marked {
			depth, inside := markedAt(v, steps)
			at.hide, at.secret = firstHidden(at.hide, depth), at.secret || inside
		}
	}
	at.secret = at.secret || at.hide >= 0 || at.node.secretInside
	return at
}

// markedAt follows the steps into a value. It returns the number of steps to the first mark, or
// -1. It also reports whether there is a mark on the way, at the place or inside it.
func markedAt(v cty.Value, steps []paths.Step) (depth int, inside bool) {
	for depth, s := range steps {
		if v.IsMarked() {
			return depth, true
		}
		var ok bool
		if v, ok = s.Fit(v.Type()).Into(v); !ok {
			return -1, false
		}
	}
	if v.IsMarked() {
		return len(steps), true
	}
	return -1, v != cty.NilVal && values.HoldsMarks(v)
}

// conceal replaces a fault in a sensitive or marked attribute with a fault that has no details.
// It applies to the rules of consistency: the rules that Core tolerates for the legacy SDK
// after apply.
func (m *messenger) conceal(f *fault) {
	if !slices.Contains(ruleInfo[f.rule].Tolerated, PhaseApply) {
		return
	}
	n := m.root
	for i, s := range f.steps {
		if child := n.child(s.Name); child != nil && s.Kind == paths.ByName {
			n = child
		}
		if !n.block {
			if place := f.steps[:i+1]; n.sensitive || m.marksIn(place) {
				*f = fault{rule: RuleInconsistentSensitive, steps: place}
			}
			return
		}
	}
}

// marksIn reports whether an argument has a mark at an attribute or inside it. It keeps the
// last result, because one attribute may have many faults.
func (m *messenger) marksIn(steps []paths.Step) bool {
	if len(m.marked) == 0 {
		return false
	}
	if m.attribute != nil && paths.Compare(m.attribute, steps) == 0 {
		return m.marksInside
	}
	m.attribute = steps
	m.marksInside = slices.ContainsFunc(m.marked, func(v cty.Value) bool {
		for _, s := range steps {
			var ok bool
			if v, ok = s.Fit(v.Type()).Into(values.Unmarked(v)); !ok {
				return false
			}
		}
		return v != cty.NilVal && values.HoldsMarks(v)
	})
	return m.marksInside
}

func (m *messenger) violation(f *fault) placedViolation {
	path, at := f.path, spot{}
	if f.path == nil {
		path, at = paths.Path(f.steps), m.spot(f.steps)
	} else {
		f.steps, at.hide = m.root.read(f.path, m.leadsToSet)
		at.hide = firstHidden(at.hide, m.spot(f.steps).hide)
	}
	v := &Violation{Rule: f.rule, Path: path, Shown: paths.Shown(f.steps, at.hide), Severity: f.severity()}
	switch {
	case f.input != nil:
		v.Message = f.input.text(at)
	case f.rule == RuleInconsistentPresence:
		v.gone = f.now.IsNull()
	}
	if v.Message == "" {
		said := f.message(at)
		v.Message, v.Was, v.Now, v.Inside = said.text, said.was, said.now, paths.Path(said.inside)
	}
	return placedViolation{violation: v, steps: f.steps}
}

func firstHidden(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// leadsToSet reports whether a path leads to a set in any argument.
func (m *messenger) leadsToSet(path cty.Path) bool {
	if m.places == nil {
		for _, v := range m.given {
			m.places = append(m.places, paths.Follow(v))
		}
	}
	steps := paths.Steps(path)
	return slices.ContainsFunc(m.places, func(p *paths.Place) bool {
		at := p.Along(steps)
		return at != nil && at.Value != cty.NilVal && at.Value.Type().IsSetType()
	})
}

// text describes the problem of an argument.
func (in *inputFault) text(at spot) string {
	who := "the " + in.name + " value"
	switch in.problem {
	case noSchema:
		return "the schema is nil; pass the result of Compile"
	case zeroValue:
		return who + " is the zero cty.Value; pass null for an object that does not exist"
	case unknownWhole:
		return "the whole " + in.name + " value is unknown; " +
			"pass an object, with unknown values for its attributes, or null"
	case unusableType:
		return who + " contains the zero cty.Value or type, or is nested too deep; pass a value of the implied type"
	case panicked:
		return "an operation on the values panicked; pass other values, or report this to objchange"
	case noObject:
		return who + " has type " + values.TypeName(in.got) + ", but the schema requires an object"
	case otherType:
		return who + " has type " + values.TypeName(in.got) + ", but the schema requires " + values.TypeName(in.want)
	case otherBlocks:
		return "the value has type " + values.TypeName(in.got) + ", but the schema requires blocks with " +
			at.node.mode.String() + " nesting"
	case missingAttribute:
		return who + " lacks the attribute" + in.present()
	case missingBlocks:
		return who + " lacks the blocks" + in.present()
	case mixedElements:
		return "the merged elements have different types, so no collection can contain them; give them the same types"
	case noFit:
		return "the prior value has the wrong type for the collection in the configuration; upgrade it to the schema"
	}
	return who + " has an attribute that is not in the schema"
}

func (in *inputFault) present() string {
	return ", which must be present with type " + values.TypeName(in.want) + ", as in the schema's EmptyValue"
}

// texts are the messages of rules whose messages show no values.
var texts = map[Rule]string{
	RuleConfigRequired:     "the required attribute is not set",
	RuleConfigComputedOnly: "only the provider may set the attribute",
	RuleConfigUnknown:      "the value is still unknown, but a configuration must be wholly known at apply",
	RulePlanPresent:        "the plan has an object that is not configured",
	RulePlanUnknownNested:  "the attribute is configured, but unknown as a whole in the plan",
	RulePlanUnknownBlocks:  "the blocks are unknown as a whole in the plan",
	RulePlanDynamicBlock:   "the plan has blocks, but the number of configured blocks is not known yet",
	RuleReplacePath: "the provider requires replacement for a change here, " +
		"but neither the prior nor the planned value has this path",
	RuleInconsistentSensitive:  "the sensitive value, or a part of it, differs from the plan",
	RuleStateUnknown:           "the value is unknown, but a state must be wholly known",
	RuleWriteOnlyNotNull:       "a write-only attribute must be null in plans and states",
	RuleInconsistentNullBlocks: "the planned blocks became null",
}

// A wording describes a fault.
type wording struct {
	text     string
	was, now string       // the values in the text, if they are shown
	inside   []paths.Step // the path of the difference inside the value
}

// message describes the fault.
func (f *fault) message(at spot) wording {
	switch f.rule {
	case RulePlanNotConfig:
		return f.notConfig(at)
	case RuleInconsistentValue:
		return f.difference(at, "the value differs from "+f.plan())
	case RuleInconsistentRefinement:
		return f.difference(at, "the value does not match the refinements of the planned unknown value")
	case RuleInconsistentType:
		return f.otherType(at)
	}
	return wording{text: f.text(at)}
}

// text describes a fault without two values.
func (f *fault) text(at spot) string {
	n := at.node
	switch f.rule {
	case RuleConfigBlockCount:
		return f.blockCount(n)
	case RulePlanAbsent:
		return either(n.block, "the configured object is missing in the plan",
			"the attribute is configured, but null in the plan")
	case RulePlanUnknownBlock:
		return either(len(f.steps) == 0, "the whole plan is unknown", "the block is unknown as a whole in the plan")
	case RulePlanNullBlocks:
		return "the blocks are null in the plan, but must be an empty " + collectionName(n)
	case RulePlanNotComputed:
		if at.secret {
			return "a value is planned, but the attribute is neither configured nor computed"
		}
		return "planned " + print.Value(f.now) + ", but the attribute is neither configured nor computed"
	case RulePlanCount:
		return f.planCount(at)
	case RulePlanKey:
		return either(at.hide >= 0, "the planned keys differ from the configured keys", f.keys())
	case RulePlanSetElement, RuleInconsistentSetElement:
		return f.setElement(at)
	case RuleInconsistentPresence:
		return f.presence()
	case RuleInconsistentUnknown:
		return either(n.block, "the planned blocks became unknown", "the planned value became unknown")
	case RuleInconsistentCount:
		return f.count(at)
	case RuleInconsistentKey:
		return f.otherKeys(at)
	case RuleStateNullBlocks:
		return "the blocks are null, but must be an empty " + collectionName(n)
	case RuleInconsistentNullBlocks:
		if n.computed {
			return "the computed blocks became null"
		}
	}
	return texts[f.rule]
}

func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// collectionName returns the name of the collection or object that a node has.
func collectionName(n *node) string { return either(n.single(), "object", n.mode.String()) }

// length returns the number of elements of a value. It returns 0 for a null or unknown value.
func length(v cty.Value) int {
	if v = values.Unmarked(v); v.IsNull() || !v.IsKnown() {
		return 0
	}
	return v.LengthInt()
}

func (f *fault) blockCount(n *node) string {
	has := 0
	if !n.single() {
		has = length(f.now)
	}
	switch {
	case n.single():
		return "the required block is missing"
	case n.maxItems > 0 && has > n.maxItems:
		return fmt.Sprintf("too many blocks: the configuration has %d, the maximum is %d", has, n.maxItems)
	default:
		return fmt.Sprintf("too few blocks: the configuration has %d, the minimum is %d", has, n.minItems)
	}
}

func (f *fault) presence() string {
	switch {
	case f.was.IsNull() && f.now.IsNull():
		return "the planned and the returned object are null, but an object was to be created or updated"
	case f.was.IsNull():
		return "got an object, but none was planned"
	}
	return "the planned object is missing"
}

// notConfig describes a planned value that is neither the configured nor the prior value.
func (f *fault) notConfig(at spot) wording {
	if f.was.IsNull() {
		planned, configured := print.NullName(f.now.Type()), print.NullName(f.was.Type())
		return wording{"planned " + planned + ", but the configuration has " + configured, configured, planned, nil}
	}
	before := f.prior != cty.NilVal && !f.prior.IsNull()
	if at.secret {
		prior := either(before, " and from the prior state", "")
		return wording{text: "the planned value differs from the configuration" + prior}
	}
	d := print.Differ(f.now, f.was)
	d.Backwards = true
	planned, configured := d.Texts()
	text := "planned " + planned + ", but the configuration has " + configured
	if was := f.priorText(&d); was != "" {
		text += " and the prior state has " + was
	}
	return wording{withPlace(&d, text), configured, planned, d.Inside()}
}

// priorText returns the prior value at the place of a difference, or "" if it equals the
// planned value.
func (f *fault) priorText(d *print.Difference) string {
	if f.prior == cty.NilVal || f.prior.IsNull() || d.IsJSON || d.A == cty.NilVal || d.B == cty.NilVal {
		return ""
	}
	prior := paths.Follow(f.prior).Along(d.Way)
	if prior == nil || values.Equal(prior.Value, d.A, values.Exactly) {
		return ""
	}
	_, was := (&print.Difference{A: d.A, B: values.UnmarkedDeep(prior.Value)}).Texts()
	return was
}

// difference describes how a value changed. It returns plain if the values must not be shown.
func (f *fault) difference(at spot, plain string) wording {
	if at.secret {
		return wording{text: plain}
	}
	d := print.Differ(f.was, f.now)
	planned, is := d.Texts()
	return wording{withPlace(&d, f.change(planned, is)), planned, is, d.Inside()}
}

// change describes a value that differs from the plan. For configurations, it differs from the
// configuration at plan.
func (f *fault) change(was, now string) string {
	return either(f.configured, "configured "+was+" at plan, but "+now+" at apply", "planned "+was+", but got "+now)
}

// plan returns what a value is compared with: the plan or, for configurations, the configuration
// at plan.
func (f *fault) plan() string { return either(f.configured, "the configuration at plan", "the plan") }

// withPlace adds the place of the difference and other notes to a text.
func withPlace(d *print.Difference, text string) string {
	if place := d.Place(); place != "" {
		text = place + ", " + text
	}
	return text + d.Aside()
}

func (f *fault) otherType(at spot) wording {
	conforms := func(was, now cty.Type) bool { return values.TypeConforms(now, was) }
	steps, planned, is := print.TypesApart(f.was, f.now, conforms)
	if at.secret && len(steps) > 0 { // the steps may have secret keys
		steps, planned, is = nil, values.TypeName(f.was.Type()), values.TypeName(f.now.Type())
	}
	if planned == is { // the difference inside must not be shown
		return wording{text: "the type of a part differs from " + f.plan()}
	}
	planned, is = typeOf(planned), typeOf(is)
	text := f.change(planned, is)
	if len(steps) > 0 {
		text = "at " + paths.Text(steps, -1) + ", " + text
	}
	return wording{text, planned, is, steps}
}

func typeOf(name string) string { return either(name == print.Nothing, "no attribute", "type "+name) }

func (f *fault) planCount(at spot) string {
	has := print.Plural(length(f.now), "element")
	switch {
	case at.node.set():
		return "the plan has " + has + ", but the configuration has a different number"
	case !f.was.IsKnown():
		return "the plan has " + has + ", but the number of configured elements is not known yet"
	}
	return f.withKeys(at, fmt.Sprintf("the plan has %s, but the configuration has %d", has, length(f.was)))
}

// counts describes a changed number of elements or blocks.
func (f *fault) counts(what string) string {
	return f.change(print.Plural(length(f.was), what), strconv.Itoa(length(f.now)))
}

func (f *fault) count(at spot) string {
	if f.now.Type().IsSetType() {
		return f.counts("element")
	}
	return f.withKeys(at, f.counts("block")) + f.elements(at)
}

func (f *fault) otherKeys(at spot) string {
	switch {
	case hasIndexes(f.now):
		return f.counts("element") + f.elements(at)
	case at.hide >= 0:
		return "the keys of the " + either(at.node.block, "blocks", "elements") + " differ from " + f.plan()
	}
	return f.keys()
}

func hasIndexes(v cty.Value) bool { return v.Type().IsListType() || v.Type().IsTupleType() }

// withKeys adds the added and removed keys to a count.
func (f *fault) withKeys(at spot, count string) string {
	if at.hide >= 0 || !f.now.Type().IsMapType() {
		return count
	}
	return count + ": " + f.keys()
}

// keys describes the added and removed keys.
func (f *fault) keys() string {
	was, now := keysOf(f.was), keysOf(f.now)
	return print.KeysChanged(namesNotIn(was, now), namesNotIn(now, was))
}

func keysOf(v cty.Value) []string {
	if length(v) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(v.AsValueMap()))
}

func namesNotIn(names, others []string) (left []string) {
	for _, name := range names {
		if _, has := slices.BinarySearch(others, name); !has {
			left = append(left, name)
		}
	}
	return left
}

// elements describes the added or removed elements of a list or tuple.
func (f *fault) elements(at spot) string {
	if at.secret || !hasIndexes(f.now) || length(f.was) == length(f.now) {
		return ""
	}
	var was []cty.Value
	if length(f.was) > 0 {
		was = f.was.AsValueSlice()
	}
	if text := print.ElementsChanged(was, f.now.AsValueSlice()); text != "" {
		return ": " + text
	}
	return ""
}

// setElement describes an element without a partner.
func (f *fault) setElement(at spot) string {
	plan := f.rule == RulePlanSetElement
	if f.lengths {
		has := print.Plural(length(f.now), "element")
		return fmt.Sprintf("the plan has %s, but the configuration has only %d", has, length(f.was))
	}
	earlier := either(f.configured, "configured", "planned")
	elem, plain, gone := f.now, "got an element that was not "+earlier, false
	closest := either(f.configured, "element at plan", "planned element")
	switch missing := f.was != cty.NilVal; {
	case missing && plan:
		elem, plain, closest = f.was, "a configured element is not in the plan", "planned element"
	case plan:
		plain, closest = "a planned element matches no configured element", "configured element"
	case missing:
		elem, plain, gone = f.was, "a "+earlier+" element is missing or has changed", true
		closest = either(f.configured, "element at apply", "returned element")
	}
	if at.secret {
		return plain
	}
	more := ""
	if f.more > 0 {
		more = fmt.Sprintf("; %d more %s missing", f.more, either(f.more == 1, "is", "are"))
	}
	shown := print.Value(elem)
	computed := func(name string) bool {
		child := at.node.child(name)
		return plan && child != nil && !child.block && child.computed
	}
	text := either(gone, "the "+earlier+" element "+shown+" is missing", plain+": "+shown)
	return text + print.Nearest(elem, f.others, computed, closest) + more
}
