package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/placeholder"
)

// show returns the case for people: the problem, the schema, the arguments, and the difference
// between the answer and the right outcome. It also shows sensitive values, because cases
// contain no real secrets.
func (r CaseResult) show() string {
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(fmt.Sprintf("%s: %s", r.Verdict, r.Reason), ": ") + "\n\n")
	schema, err := json.Marshal(r.of.Schema.Block)
	schema = bytes.ReplaceAll(schema, []byte(`"description_kind":"plain",`), nil)
	schema = bytes.ReplaceAll(schema, []byte(`,"description_kind":"plain"`), nil)
	fmt.Fprintf(&b, "schema = %s\n", jsonText(schema, err))
	for _, name := range r.Op.Arguments() {
		fmt.Fprintf(&b, "%s = %s\n", name, valueText(r.of, r.of.In[name]))
	}
	if len(r.Difference) > 0 {
		b.WriteString("\nwanted (-) and got (+)\n" + strings.Join(r.Difference, "\n") + "\n")
	}
	return words.Printable(b.String(), "\n")
}

// difference returns the missing lines after a -, and the surplus lines after a +.
func difference(c *conformance.Case, j conformance.Comparison, got conformance.Outcome) []string {
	switch {
	case c.Op == conformance.OpComputed && got.Kind == conformance.KindValue: // there are many right plans
		return append(problemLines("-", j.Missing), "+ value = "+valueText(c, got.Value))
	case j.Want.Kind == conformance.KindValue && got.Kind == conformance.KindValue:
		return valueDifference(c, j.Want.Value, got.Value)
	case len(j.Want.Problems) > 0 && len(got.Problems) > 0:
		return append(problemLines("-", j.Missing), problemLines("+", j.Surplus)...)
	}
	return append(outcomeLines(c, "-", j.Want), outcomeLines(c, "+", got)...)
}

// valueDifference returns the parts that differ, or both values if the parts do not show the
// difference.
func valueDifference(c *conformance.Case, want, got cty.Value) (lines []string) {
	schema, err := objchange.Compile(c.Schema.Block)
	var changes []objchange.Change
	if err == nil {
		changes, err = objchange.Diff(schema, want, got)
	}
	unseen := func(c objchange.Change) bool { return c.Before.IsNull() && c.After.IsNull() } // nulls of different types
	if err != nil || len(changes) == 0 || slices.ContainsFunc(changes, unseen) {
		return []string{"- value = " + valueText(c, want), "+ value = " + valueText(c, got)}
	}
	for _, change := range changes {
		path := cmp.Or(objchange.PathString(change.Path), "value")
		if change.Kind != objchange.ChangeAdd {
			lines = append(lines, fmt.Sprintf("- %s = %s", path, jsonText(placeholder.Plain(change.Before))))
		}
		if change.Kind != objchange.ChangeRemove {
			lines = append(lines, fmt.Sprintf("+ %s = %s", path, jsonText(placeholder.Plain(change.After))))
		}
	}
	return lines
}

// outcomeLines returns a whole outcome.
func outcomeLines(c *conformance.Case, sign string, o conformance.Outcome) []string {
	switch {
	case o.Kind == conformance.KindValue:
		return []string{sign + " value = " + valueText(c, o.Value)}
	case len(o.Problems) == 0:
		return []string{sign + " accepted"}
	}
	return problemLines(sign, o.Problems)
}

func problemLines(sign string, problems []conformance.Problem) (lines []string) {
	for _, p := range problems {
		parts := []string{sign}
		if p.Path != nil {
			parts = append(parts, cmp.Or(*p.Path, "(root)"))
		}
		parts = append(parts, p.Rule, p.Message)
		parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
		if len(parts) == 1 {
			parts = append(parts, "rejected")
		}
		lines = append(lines, short(strings.Join(parts, " ")))
	}
	return lines
}

// valueText returns the JSON of a value of the case, as adapters get it.
func valueText(c *conformance.Case, v cty.Value) string {
	return jsonText(jsonCodec{}.Encode(c.Schema.Block, v))
}

// jsonText returns JSON, or the error.
func jsonText(text json.RawMessage, err error) string {
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(text)
}

// longest is the maximum number of characters of a text.
const longest = 300

// short returns the text on one line. It omits the middle of a long text.
func short(s string) string { return words.Short(words.Printable(s, ""), longest) }
