package spectest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// This file tests input that the functions accept, like Core, even if Validate rejects it.

// odd returns an equivalent schema that Validate rejects: some optional attributes have no flag, and
// some parts have a deprecation message but are not deprecated.
func (d die) odd(b *configschema.Block) *configschema.Block {
	return &configschema.Block{
		Attributes: d.oddAttributes(b.Attributes), BlockTypes: d.oddBlocks(b.BlockTypes),
		DeprecationMessage: pick(d, "", "no more"), Computed: d.OneIn(3),
	}
}

func (d die) oddAttributes(all attrs) attrs {
	odd := attrs{}
	for _, name := range sorted(all) {
		a := *all[name]
		if a.Optional && !a.Computed {
			a.Optional = d.OneIn(2)
		}
		a.DeprecationMessage = pick(d, "", "no more")
		if a.NestedType != nil {
			a.NestedType = &configschema.Object{Attributes: d.oddAttributes(a.NestedType.Attributes), Nesting: a.NestedType.Nesting}
		}
		odd[name] = &a
	}
	return odd
}

func (d die) oddBlocks(all blocks) blocks {
	odd := blocks{}
	for _, name := range sorted(all) {
		nb := *all[name]
		computed := nb.Computed
		nb.Block = *d.odd(&nb.Block)
		nb.Computed = computed
		odd[name] = &nb
	}
	return odd
}

func TestUnconventionalFlagsChangeNoAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		odd := rolling(func(d die) *configschema.Block { return d.odd(w.Schema) }).Draw(t, "odd")
		if !odd.ImpliedType().Equals(w.Schema.ImpliedType()) || !odd.EmptyValue().RawEquals(w.Schema.EmptyValue()) {
			t.Errorf("implied type %#v, empty value %#v", odd.ImpliedType(), odd.EmptyValue())
		}
		for _, f := range functions {
			equalAnswers(t, f.name, f.ask(w.Schema, w.Prior, w.Config, w.Planned), f.ask(odd, w.Prior, w.Config, w.Planned))
		}
	})
}

func TestUnknownPriorIsAnyPlaceholder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		want, err := objchange.PlannedDataResource(compiled(w.Schema), w.Config)
		got, err2 := objchange.ProposedNew(compiled(w.Schema), cty.UnknownVal(w.Schema.ImpliedType()), w.Config)
		equalAnswers(t, "ProposedNew", answerOf(want, err), answerOf(got, err2))
	})
}

// A winding is a path with steps below a secret value. These steps contain secrets, in any kind of
// step.
type winding struct {
	schema         *configschema.Block
	prior, planned cty.Value
	path           cty.Path
}

const hiddenNumber = 31337

// winding makes an attribute of the schema sensitive or write-only, or marks the planned value, and
// returns a path below it.
func (d die) winding(w generate.World) winding {
	schema := d.odd(w.Schema) // a copy
	wind := winding{schema: schema, prior: w.Prior, planned: w.Planned}
	at := parts.RootOf(schema).Fields
	for len(at.BlockTypes) > 0 && d.OneIn(2) {
		name := pick(d, sorted(at.BlockTypes)...)
		wind.path = append(wind.path, cty.GetAttrStep{Name: name})
		if nb := at.BlockTypes[name]; nb.Nesting != configschema.NestingSingle && nb.Nesting != configschema.NestingGroup {
			wind.path = append(wind.path, pick[cty.PathStep](d, cty.IndexStep{Key: cty.Zero}, cty.IndexStep{Key: str("k")}, cty.GetAttrStep{Name: "k"}))
		}
		at = parts.BlocksOf(at.BlockTypes[name]).Fields
	}
	if len(at.Attributes) > 0 {
		name := pick(d, sorted(at.Attributes)...)
		wind.path = append(wind.path, pick[cty.PathStep](d, cty.GetAttrStep{Name: name}, cty.IndexStep{Key: str(name)}))
		if a := at.Attributes[name]; d.OneIn(2) {
			a.Sensitive = true
		} else {
			a.WriteOnly = true
		}
	} else {
		wind.path, wind.planned = nil, w.Planned.Mark("m")
	}
	for range 1 + d.Die(3) {
		wind.path = append(wind.path, pick[cty.PathStep](d,
			cty.GetAttrStep{Name: secretText}, cty.IndexStep{Key: str(secretText)}, cty.IndexStep{Key: num(hiddenNumber)},
			cty.IndexStep{Key: object(obj{secretText: str(secretText)})}))
	}
	return wind
}

func TestPathsBelowSecretsAreHidden(t *testing.T) {
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, wild)
		wind := rolling(func(d die) winding { return d.winding(w) }).Draw(t, "winding")
		texts := []string{}
		_, found := objchange.RequiredReplace(compiled(wind.schema), wind.prior, wind.planned, []cty.Path{wind.path})
		for _, v := range found {
			texts = append(texts, answer{found: objchange.Violations{v}}.said(), v.Error(), v.PathString(), v.Message)
		}
		if _, err := objchange.IgnoreChanges(compiled(wind.schema), wind.prior, wind.planned, []cty.Path{wind.path}); err != nil {
			texts = append(texts, err.Error())
		}
		read += len(texts)
		for _, text := range texts {
			if strings.Contains(text, secretText) || strings.Contains(text, fmt.Sprint(hiddenNumber)) {
				t.Errorf("%s shows a step of %#v", text, wind.path)
			}
		}
	})
	if read == 0 {
		t.Error("no function says anything")
	}
}

// TestNamedPathsAreHiddenBelowSecretsOnly checks that path steps from the caller are redacted below a
// secret value, and are not redacted elsewhere.
func TestNamedPathsAreHiddenBelowSecretsOnly(t *testing.T) {
	any, sensitive := cty.DynamicPseudoType, "optional sensitive"
	schema := &configschema.Block{
		Attributes: attrs{
			"open":   attr(any, "optional"),
			"sdyn":   attr(any, sensitive),
			"wo":     attr(any, "optional writeonly"),
			"nested": nested(configschema.NestingList, sensitive, attrs{"a": attr(any, "optional")}),
			"inner":  nested(configschema.NestingSingle, "optional", attrs{"a": attr(any, sensitive)}),
		},
		BlockTypes: blocks{"dyn": block(configschema.NestingMap, attrs{"a": attr(any, sensitive)})},
	}
	value := schema.EmptyValue()
	at := cty.GetAttrPath
	key := func(v cty.Value) cty.IndexStep { return cty.IndexStep{Key: v} }
	for _, test := range []struct {
		path cty.Path
		want string
	}{
		{at("open").GetAttr("x").IndexString("y").IndexInt(7), `.open.x["y"][7]`},
		{at("sdyn").GetAttr("secretKey"), ".sdyn[(sensitive)]"},
		{at("sdyn").IndexString("secretKey"), ".sdyn[(sensitive)]"},
		{at("sdyn").IndexInt(4711), ".sdyn[(sensitive)]"},
		{cty.IndexStringPath("sdyn").IndexString("secretKey"), `["sdyn"][(sensitive)]`},
		{at("sdyn").Index(object(obj{"secretKey": num(1)})), ".sdyn[*]"},
		{at("wo").GetAttr("secretKey"), ".wo[(sensitive)]"},
		{at("nested").IndexInt(4711).GetAttr("a").GetAttr("secretKey"), ".nested[(sensitive)].a[(sensitive)]"},
		{at("nested").GetAttr("secretKey"), ".nested[(sensitive)]"},
		{at("inner").GetAttr("a").GetAttr("secretKey"), ".inner.a[(sensitive)]"},
		{at("inner").GetAttr("nowhere"), ".inner.nowhere"},
		{at("dyn").GetAttr("a").GetAttr("a").GetAttr("secretKey"), ".dyn.a.a[(sensitive)]"},
		{at("dyn").IndexString("k").GetAttr("a").GetAttr("secretKey"), `.dyn["k"].a[(sensitive)]`},
		{append(at("open"), key(str("secretKey").Mark("m"))), ".open[(sensitive)]"},
	} {
		_, found := objchange.RequiredReplace(compiled(schema), value, value, []cty.Path{test.path})
		if len(found) != 1 || found[0].PathString() != test.want || !slices.EqualFunc(found[0].Path, test.path, parts.SameStep) {
			t.Errorf("%#v: %v, want %s", test.path, found, test.want)
		}
	}
	marked := object(map[string]cty.Value{"open": str("x").Mark("m"), "sdyn": noDynamic, "wo": noDynamic, "nested": value.GetAttr("nested"), "inner": value.GetAttr("inner"), "dyn": value.GetAttr("dyn")})
	for _, path := range []cty.Path{at("open").GetAttr("secretKey"), at("open").IndexInt(31337), at("open").IndexString("secretKey")} {
		_, found := objchange.RequiredReplace(compiled(schema), value, marked, []cty.Path{path})
		if len(found) != 1 || found[0].PathString() != ".open[(sensitive)]" {
			t.Errorf("marked: %v", found)
		}
	}
}
