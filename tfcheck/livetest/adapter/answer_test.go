package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// What the framework cannot express, or does not take, is unsupported, and the reason
// names the place.
func TestUnsupported(t *testing.T) {
	inner := configschema.Block{Attributes: attributes{"name": optional}}
	in := func(b configschema.NestedBlock) blocks {
		return blocks{"outer": {Nesting: configschema.NestingList, Block: configschema.Block{BlockTypes: blocks{"inner": &b}}}}
	}
	of := func(ty cty.Type) attributes { return attributes{"it": {Type: ty, Optional: true}} }
	computedBlock := inner
	computedBlock.Attributes, computedBlock.Computed = attributes{"name": computed}, true
	for name, test := range map[string]struct {
		attrs  attributes
		blocks blocks
		want   string
	}{
		"group":          {blocks: in(configschema.NestedBlock{Block: inner, Nesting: configschema.NestingGroup}), want: ".outer.inner: a block of group nesting"},
		"map":            {blocks: in(configschema.NestedBlock{Block: inner, Nesting: configschema.NestingMap}), want: ".outer.inner: a block of map nesting"},
		"computed block": {blocks: in(configschema.NestedBlock{Block: computedBlock, Nesting: configschema.NestingList}), want: ".outer.inner: a computed block"},
		"nested group": {
			attrs: attributes{"it": nested(configschema.NestingGroup, attributes{"name": optional})},
			want:  ".it: nested attributes of group nesting",
		},
		"tuple":                {attrs: of(cty.Tuple([]cty.Type{cty.String})), want: ".it: a tuple"},
		"tuple in an object":   {attrs: of(cty.List(cty.Object(map[string]cty.Type{"a": cty.EmptyTuple}))), want: ".it.a: a tuple"},
		"optional attributes":  {attrs: of(cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": cty.String}, []string{"a"})), want: ".it: an object with optional attributes"},
		"write-only set":       {attrs: attributes{"it": {Type: cty.Set(cty.String), Optional: true, WriteOnly: true}}, want: ".it: a write-only set"},
		"write-only elements":  {attrs: attributes{"it": {Optional: true, WriteOnly: true, NestedType: &configschema.Object{Nesting: configschema.NestingSet, Attributes: attributes{"a": writeOnly}}}}, want: ".it: a write-only set"},
		"dynamic in a list":    {attrs: of(cty.List(cty.DynamicPseudoType)), want: `"it"`},
		"reserved name":        {attrs: attributes{"count": optional}, want: `"count"`},
		"write-only, computed": {attrs: attributes{"it": nested(configschema.NestingSingle, attributes{"a": writeOnly})}, want: `"it"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := answer(ask(t, &configschema.Block{Attributes: test.attrs, BlockTypes: test.blocks}, nil, object{}))
			if got.Kind != conformance.KindUnsupported || !strings.Contains(got.Why, test.want) || strings.Contains(got.Why, "\n") {
				t.Errorf("got %+v, want %s", got, test.want)
			}
		})
	}
}

// All that comes is answered: other questions, and cases that the framework, or the
// adapter, cannot work with.
func TestServe(t *testing.T) {
	good := ask(t, &configschema.Block{Attributes: attributes{"name": optional}}, nil, object{"name": "web"})
	var cases bytes.Buffer
	w := conformance.NewWriter(&cases, conformance.MessagePack{}, false)
	for _, op := range conformance.Ops() {
		c := &conformance.Case{ID: good.ID, Op: op, Schema: good.Schema, In: map[string]cty.Value{}}
		for _, name := range op.Arguments() {
			c.In[name] = good.In["config"]
		}
		if err := w.Write(c); err != nil {
			t.Fatal(err)
		}
	}
	var answers bytes.Buffer
	if err := conformance.Serve(&cases, &answers, conformance.MessagePack{}, answer); err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(answers.Bytes()), []byte("\n"))
	for i, op := range conformance.Ops() {
		got, err := (&conformance.Case{ID: good.ID, Op: op, Schema: good.Schema}).ParseAnswer(lines[i], conformance.MessagePack{})
		switch {
		case err != nil:
			t.Error(err)
		case op != conformance.OpComputed && got.Kind != conformance.KindUnsupported:
			t.Errorf("%s: got %+v", op, got)
		case op == conformance.OpComputed && !got.Value.RawEquals(good.In["config"]):
			t.Errorf("%s: got %#v", op, got)
		}
	}
	for name, c := range map[string]*conformance.Case{
		"panic":                        {Op: conformance.OpComputed},
		"prior: the value is the zero": {Op: conformance.OpComputed, Schema: good.Schema, In: map[string]cty.Value{"prior": cty.NilVal}},
	} {
		if got := answer(c); got.Kind != conformance.KindErrors || !strings.HasPrefix(got.Problems[0].Message, name) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// Errors are told in a line, and warnings are not.
func TestFound(t *testing.T) {
	if err := found(warned); err != nil {
		t.Errorf("got %v", err)
	}
	err := found(append(warned,
		&tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: "No", Detail: "not\n\nthis", Attribute: tftypes.NewAttributePath().WithAttributeName("name")},
		&tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Nor", Detail: "that"},
	))
	if want := ".name: No: not this; Nor: that"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

var warned = []*tfprotov6.Diagnostic{{Severity: tfprotov6.DiagnosticSeverityWarning, Summary: "Old"}}
