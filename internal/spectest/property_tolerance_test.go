package spectest

import (
	"fmt"

	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// This file tests input that the functions accept, like Core, even if Validate rejects it.

// unconventional returns an equivalent schema that Validate rejects: some optional attributes have
// no flag, and some parts have a deprecation message but are not deprecated.
func (d decider) unconventional(b *configschema.Block) *configschema.Block {
	return &configschema.Block{
		Attributes: d.unconventionalAttributes(b.Attributes), BlockTypes: d.unconventionalBlocks(b.BlockTypes),
		DeprecationMessage: pick(d, "", "no more"), Computed: d.OneIn(3),
	}
}

func (d decider) unconventionalAttributes(all Attrs) Attrs {
	odd := Attrs{}
	for _, name := range sorted(all) {
		a := *all[name]
		if a.Optional && !a.Computed {
			a.Optional = d.OneIn(2)
		}
		a.DeprecationMessage = pick(d, "", "no more")
		if a.NestedType != nil {
			a.NestedType = &configschema.Object{Attributes: d.unconventionalAttributes(a.NestedType.Attributes), Nesting: a.NestedType.Nesting}
		}
		odd[name] = &a
	}
	return odd
}

func (d decider) unconventionalBlocks(all Blocks) Blocks {
	odd := Blocks{}
	for _, name := range sorted(all) {
		nb := *all[name]
		computed := nb.Computed
		nb.Block = *d.unconventional(&nb.Block)
		nb.Computed = computed
		odd[name] = &nb
	}
	return odd
}

func TestUnconventionalFlagsDoNotChangeResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		odd := generator(func(d decider) *configschema.Block { return d.unconventional(r.Schema) }).Draw(t, "odd")
		if !odd.ImpliedType().Equals(r.Schema.ImpliedType()) || !odd.EmptyValue().RawEquals(r.Schema.EmptyValue()) {
			t.Errorf("implied type %#v, empty value %#v", odd.ImpliedType(), odd.EmptyValue())
		}
		for _, f := range functions {
			equalResults(t, f.name, f.run(r.Schema, r.Prior, r.Config, r.Planned), f.run(odd, r.Prior, r.Config, r.Planned))
		}
	})
}

func TestProposalForUnknownPriorIsPlaceholder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		want, err := objchange.PlannedDataResource(Compiled(r.Schema), r.Config)
		got, err2 := objchange.ProposedNew(Compiled(r.Schema), cty.UnknownVal(r.Schema.ImpliedType()), r.Config)
		equalResults(t, "ProposedNew", resultOf(want, err), resultOf(got, err2))
	})
}

// A pathBelowSecret is a path with steps below a secret value. These steps contain secrets, in any
// kind of step.
type pathBelowSecret struct {
	schema         *configschema.Block
	prior, planned cty.Value
	path           cty.Path
}

const hiddenNumber = 31337

// pathBelowSecret makes an attribute of the schema sensitive or write-only, or marks the planned
// value, and returns a path below it.
func (d decider) pathBelowSecret(r generate.Resource) pathBelowSecret {
	schema := d.unconventional(r.Schema) // a copy
	below := pathBelowSecret{schema: schema, prior: r.Prior, planned: r.Planned}
	at := parts.RootOf(schema).Fields
	for len(at.BlockTypes) > 0 && d.OneIn(2) {
		name := pick(d, sorted(at.BlockTypes)...)
		below.path = append(below.path, cty.GetAttrStep{Name: name})
		if nb := at.BlockTypes[name]; nb.Nesting != configschema.NestingSingle && nb.Nesting != configschema.NestingGroup {
			below.path = append(below.path, pick[cty.PathStep](d, cty.IndexStep{Key: cty.Zero}, cty.IndexStep{Key: Str("k")}, cty.GetAttrStep{Name: "k"}))
		}
		at = parts.BlocksOf(at.BlockTypes[name]).Fields
	}
	if len(at.Attributes) > 0 {
		name := pick(d, sorted(at.Attributes)...)
		below.path = append(below.path, pick[cty.PathStep](d, cty.GetAttrStep{Name: name}, cty.IndexStep{Key: Str(name)}))
		if a := at.Attributes[name]; d.OneIn(2) {
			a.Sensitive = true
		} else {
			a.WriteOnly = true
		}
	} else {
		below.path, below.planned = nil, r.Planned.Mark("m")
	}
	for range 1 + d.Choose(3) {
		below.path = append(below.path, pick[cty.PathStep](d,
			cty.GetAttrStep{Name: secretText}, cty.IndexStep{Key: Str(secretText)}, cty.IndexStep{Key: Num(hiddenNumber)},
			cty.IndexStep{Key: Object(Obj{secretText: Str(secretText)})}))
	}
	return below
}

func TestPathsBelowSecretsAreHidden(t *testing.T) {
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, arbitraryResources)
		below := generator(func(d decider) pathBelowSecret { return d.pathBelowSecret(r) }).Draw(t, "winding")
		texts := []string{}
		_, found := objchange.RequiredReplace(Compiled(below.schema), below.prior, below.planned, []cty.Path{below.path})
		for _, v := range found {
			texts = append(texts, result{found: objchange.Violations{v}}.text(), v.Error(), v.PathString(), v.Message)
		}
		if _, err := objchange.IgnoreChanges(Compiled(below.schema), below.prior, below.planned, []cty.Path{below.path}); err != nil {
			texts = append(texts, err.Error())
		}
		read += len(texts)
		for _, text := range texts {
			if strings.Contains(text, secretText) || strings.Contains(text, fmt.Sprint(hiddenNumber)) {
				t.Errorf("%s shows a step of %#v", text, below.path)
			}
		}
	})
	if read == 0 {
		t.Error("no function returned text")
	}
}
