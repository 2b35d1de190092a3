package search

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
)

// Learn learns from the diagnostics why the provider refused the configuration, and returns the
// next configuration to try. It returns false if there is no other configuration to try, or if it
// has used its tries since the last call of Minimal or Full. It ignores warnings. Without
// diagnostics, for example after a crash, it tries changes that do not depend on a diagnostic.
func (k *Knowledge) Learn(config cty.Value, diags []driver.Diagnostic) (next cty.Value, ok bool) {
	k.tried = append(k.tried, config)
	errs := sorted(diags)
	silent := len(errs) == 0
	if silent {
		errs = []driver.Diagnostic{{Error: true, Summary: "the provider did not respond"}}
	}
	var moves [][]move
	for _, d := range errs {
		moves = append(moves, k.movesFor(config, d))
	}
	at, _ := k.subject(config, errs[0])
	useless := at == nil && k.last != nil && k.last.diag.String() == errs[0].String()
	k.last = &refusal{at, errs[0], silent}
	if len(k.tried) >= maxTries {
		return cty.NilVal, false
	}
	if useless { // other moves for the previous configuration may be better
		if next, ok = k.nextOpenMove(); ok {
			return next, true
		}
	}
	next, ok = k.oneForEach(config, moves)
	k.addOpenMoves(config, moves, at != nil)
	if !ok {
		next, ok = k.nextOpenMove()
	}
	return next, ok
}

// movesFor returns the moves that may fix the configuration, best first. It also records the facts
// about slots in the diagnostic.
func (k *Knowledge) movesFor(config cty.Value, d driver.Diagnostic) []move {
	at, others := k.subject(config, d)
	if at == nil {
		return k.movesWithoutSlot(config, d.Summary+" "+d.Detail)
	}
	away := removals(config, at)
	k.refusals[at]++
	if k.refusals[at] > maxSame && len(away) > 0 {
		return away
	}
	m := read(d.Summary + "\n" + d.Detail)
	values, relations := k.valueMoves(config, at, m), relationMoves(config, at, others, m.asks)
	if len(others) > 0 || m.asks == asksMore || m.asks == asksNone {
		values, relations = relations, values
	}
	return slices.Concat(values, relations, k.lastMoves(config, at, away))
}

// sorted returns the errors without duplicates, sorted by text.
func sorted(diags []driver.Diagnostic) (errs []driver.Diagnostic) {
	key := func(d driver.Diagnostic) string { return fmt.Sprintf("%s%#v", d, d.Path) }
	for _, d := range diags {
		if d.Error {
			errs = append(errs, d)
		}
	}
	slices.SortFunc(errs, func(a, b driver.Diagnostic) int { return cmp.Compare(key(a), key(b)) })
	return slices.CompactFunc(errs, func(a, b driver.Diagnostic) bool { return key(a) == key(b) })
}

// oneForEach makes one move for each diagnostic.
func (k *Knowledge) oneForEach(config cty.Value, moves [][]move) (cty.Value, bool) {
	for round := range 3 {
		all := config
		// A move for another diagnostic may fix this one too, because several may have the same meaning.
		isDone := func(m move) bool { return all.RawEquals(k.make(all, m)) }
		for _, ms := range moves {
			if round < len(ms) && !slices.ContainsFunc(ms[:min(len(ms), maxOpen)], isDone) {
				all = k.make(all, ms[round])
			}
		}
		if k.untried(all) {
			return all, true
		}
	}
	return cty.NilVal, false
}

// addOpenMoves adds moves to make later. It adds only the best ones if the diagnostic names a slot.
func (k *Knowledge) addOpenMoves(config cty.Value, moves [][]move, named bool) {
	var each []iter.Seq[move]
	for _, ms := range moves {
		if named {
			ms = ms[:min(len(ms), maxOpen)]
		}
		each = append(each, slices.Values(ms))
	}
	for _, m := range slices.Backward(slices.Collect(InTurn(each...))) {
		k.open = append(k.open, option{config, m})
	}
}

// nextOpenMove makes the latest move that was not made yet.
func (k *Knowledge) nextOpenMove() (cty.Value, bool) {
	for len(k.open) > 0 {
		o := k.open[len(k.open)-1]
		k.open = k.open[:len(k.open)-1]
		if next := k.make(o.config, o.move); k.untried(next) {
			return next, true
		}
	}
	return cty.NilVal, false
}

func (k *Knowledge) untried(config cty.Value) bool {
	return !slices.ContainsFunc(k.tried, config.RawEquals) && k.sendable(config)
}

// make returns the configuration after a move.
func (k *Knowledge) make(config cty.Value, m move) cty.Value {
	for _, e := range m {
		config = k.with(config, e.at, e.to)
	}
	return config
}

// Concerns reports whether the first error is about this configuration, by its path or its text. An
// error that is not about the configuration of a resource may be about the provider's
// configuration.
func (k *Knowledge) Concerns(config cty.Value, diags []driver.Diagnostic) bool {
	errs := sorted(diags)
	if len(errs) == 0 {
		return false
	}
	at, _ := k.subject(config, errs[0])
	return at != nil
}

// WithoutSlot returns the last refusal if it names no slot.
func (k *Knowledge) WithoutSlot() []driver.Diagnostic {
	if k.last == nil || k.last.at != nil {
		return nil
	}
	return []driver.Diagnostic{k.last.diag}
}

// Unreached describes the last refusal and the hint that would help. It returns "" if the provider
// refused nothing since the last accepted configuration, or did not respond.
func (k *Knowledge) Unreached() string {
	if k.last == nil || k.last.silent {
		return ""
	}
	text := strings.Join(strings.Fields(k.last.diag.String()), " ")
	if k.last.at == nil || k.last.at.Path == "" {
		return text
	}
	return text + "; give values for " + k.last.at.Path + " in the hints file"
}
