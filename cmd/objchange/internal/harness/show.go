package harness

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/show"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// show returns the case as a person reads it: what is wrong, the schema, what was asked,
// and how what came differs from what is right. Cases are made to be shown: nothing in them
// is a secret, whatever their schemas say.
func (r *record) show() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nschema\n", r.verdict, r.reason)
	schemaLines(&b, 1, r.c.Schema.Block.Attributes, r.c.Schema.Block.BlockTypes)
	b.WriteString("\n")
	for _, name := range r.c.Op.Arguments() {
		fmt.Fprintf(&b, "%s = %s\n", name, valueText(r.c.Schema.Block, r.c.In[name]))
	}
	if difference := r.difference(); difference != "" {
		b.WriteString("\n" + difference)
	}
	return words.Printable(words.Valid(b.String()), "\n")
}

// difference returns how what came differs from what is right, with a - before what is
// missing and a + before what is too much.
func (r *record) difference() string {
	want := r.judged.Want
	switch {
	case r.fault:
		return ""
	case r.op != conformance.OpComputed && want.Kind == conformance.KindValue && r.got.Kind == conformance.KindValue:
		return changes(r.c.Schema.Block, want.Value, r.got.Value)
	}
	var b strings.Builder
	b.WriteString("wanted (-) and got (+)\n")
	switch {
	case r.op == conformance.OpComputed: // there is no one value that is right
		if r.got.Kind == conformance.KindValue {
			fmt.Fprintf(&b, "  planned = %s\n", valueText(r.c.Schema.Block, r.got.Value))
		}
		outcomeLines(&b, "+", conformance.ErrorsOutcome(append(slices.Clone(r.judged.Missing), r.got.Problems...)...), r.c.Schema.Block)
		return b.String()
	case want.Kind == conformance.KindErrors && r.got.Kind == conformance.KindErrors && len(want.Problems) > 0 && len(r.got.Problems) > 0:
		missing, surplus := r.judged.Missing, r.judged.Surplus
		for _, p := range want.Problems {
			if !slices.Contains(missing, p) {
				fmt.Fprintln(&b, "  "+inLine(problemText(p)))
			}
		}
		want, got := conformance.ErrorsOutcome(missing...), conformance.ErrorsOutcome(surplus...)
		problemLines(&b, "-", want.Problems)
		problemLines(&b, "+", got.Problems)
		return b.String()
	}
	outcomeLines(&b, "-", want, r.c.Schema.Block)
	outcomeLines(&b, "+", r.got, r.c.Schema.Block)
	return b.String()
}

// outcomeLines writes an outcome as a whole.
func outcomeLines(b *strings.Builder, sign string, o conformance.Outcome, schema *configschema.Block) {
	switch {
	case o.Kind == conformance.KindValue:
		fmt.Fprintf(b, "%s value = %s\n", sign, valueText(schema, o.Value))
	case len(o.Problems) == 0:
		fmt.Fprintln(b, sign, "accepted")
	}
	problemLines(b, sign, o.Problems)
}

func problemLines(b *strings.Builder, sign string, problems []conformance.Problem) {
	for _, p := range problems {
		text := problemText(p)
		if p.Message != "" && text != p.Message {
			text += ": " + p.Message
		}
		fmt.Fprintln(b, sign, words.Short(inLine(text), longest))
	}
}

// changes returns the change from one value to another, or both if it cannot be seen.
func changes(schema *configschema.Block, want, got cty.Value) string {
	var b bytes.Buffer
	schema = open(schema)
	compiled, err := objchange.Compile(schema)
	if err != nil {
		return err.Error() + "\n"
	}
	found, err := objchange.Diff(compiled, want, got)
	unseen := func(c objchange.Change) bool { return c.Before.IsNull() && c.After.IsNull() } // of another type
	if err == nil && len(found) > 0 && !slices.ContainsFunc(found, unseen) {
		err = show.Change(&b, show.Plain{}, show.Resource{
			Address: "wanted to got", Schema: compiled, Before: want, After: got, Action: show.Differs,
		})
		if err == nil {
			return b.String()
		}
	}
	return fmt.Sprintf("wanted (-) and got (+)\n- %s\n+ %s\n", valueText(schema, want), valueText(schema, got))
}

// open returns a copy of the schema in which nothing is sensitive.
func open(schema *configschema.Block) *configschema.Block {
	block := *schema
	block.Attributes = openAttributes(schema.Attributes)
	block.BlockTypes = map[string]*configschema.NestedBlock{}
	for name, nb := range schema.BlockTypes {
		copied := *nb
		copied.Block = *open(&nb.Block)
		block.BlockTypes[name] = &copied
	}
	return &block
}

func openAttributes(attrs map[string]*configschema.Attribute) map[string]*configschema.Attribute {
	copied := map[string]*configschema.Attribute{}
	for name, a := range attrs {
		c := *a
		c.Sensitive, c.WriteOnly = false, false
		if a.NestedType != nil {
			c.NestedType = &configschema.Object{Nesting: a.NestedType.Nesting, Attributes: openAttributes(a.NestedType.Attributes)}
		}
		copied[name] = &c
	}
	return copied
}

// schemaLines writes the attributes, and then the blocks, a line each, and below it what
// is inside.
func schemaLines(b *strings.Builder, depth int, attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock) {
	names := slices.Concat(slices.Collect(maps.Keys(attrs)), slices.Collect(maps.Keys(blocks)))
	wide := 0
	for _, name := range names {
		wide = max(wide, len(name))
	}
	line := func(name string, parts ...string) {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		fmt.Fprintf(b, "%s%-*s  %s\n", strings.Repeat("  ", depth), wide, name, strings.Join(parts, ", "))
	}
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		attr := attrs[name]
		if attr.NestedType == nil {
			line(name, typeexpr.TypeString(attr.Type), flags(attr))
			continue
		}
		line(name, "attributes, "+attr.NestedType.Nesting.String(), flags(attr))
		schemaLines(b, depth+1, attr.NestedType.Attributes, nil)
	}
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		nb := blocks[name]
		line(name, "block, "+nb.Nesting.String(), limits(nb), flag(nb.Computed, "computed"))
		schemaLines(b, depth+1, nb.Attributes, nb.BlockTypes)
	}
}

func flags(a *configschema.Attribute) string {
	all := []string{
		flag(a.Required, "required"), flag(a.Optional, "optional"), flag(a.Computed, "computed"),
		flag(a.Sensitive, "sensitive"), flag(a.WriteOnly, "write-only"),
	}
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), ", ")
}

func flag(is bool, name string) string {
	if is {
		return name
	}
	return ""
}

// limits says how many blocks there may be, where that is limited.
func limits(nb *configschema.NestedBlock) string {
	var parts []string
	if nb.MinItems > 0 {
		parts = append(parts, fmt.Sprintf("at least %d", nb.MinItems))
	}
	if nb.MaxItems > 0 {
		parts = append(parts, fmt.Sprintf("at most %d", nb.MaxItems))
	}
	return strings.Join(parts, ", ")
}
