package tfconv_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/tfconv"
)

// protocol6 returns the schema as a provider of protocol 6 would send it. The schema must not have
// computed blocks.
func protocol6(t *testing.T, b *configschema.Block) *tfprotov6.SchemaBlock {
	t.Helper()
	to := &tfprotov6.SchemaBlock{Attributes: protocolAttributes(t, b.Attributes)}
	for _, name := range sortedNames(b.BlockTypes) {
		nb := b.BlockTypes[name]
		to.BlockTypes = append(to.BlockTypes, &tfprotov6.SchemaNestedBlock{
			TypeName: name, Block: protocol6(t, &nb.Block), MinItems: int64(nb.MinItems), MaxItems: int64(nb.MaxItems),
			Nesting: map[configschema.NestingMode]tfprotov6.SchemaNestedBlockNestingMode{
				configschema.NestingSingle: 1, configschema.NestingList: 2, configschema.NestingSet: 3, configschema.NestingMap: 4, configschema.NestingGroup: 5,
			}[nb.Nesting],
		})
	}
	return to
}

func protocolAttributes(t *testing.T, attrs map[string]*configschema.Attribute) (to []*tfprotov6.SchemaAttribute) {
	t.Helper()
	for _, name := range sortedNames(attrs) {
		from := attrs[name]
		attr := &tfprotov6.SchemaAttribute{
			Name: name, Required: from.Required, Optional: from.Optional, Computed: from.Computed,
			Sensitive: from.Sensitive, WriteOnly: from.WriteOnly,
		}
		if from.NestedType != nil {
			attr.NestedType = &tfprotov6.SchemaObject{
				Attributes: protocolAttributes(t, from.NestedType.Attributes),
				Nesting: map[configschema.NestingMode]tfprotov6.SchemaObjectNestingMode{
					configschema.NestingSingle: 1, configschema.NestingList: 2, configschema.NestingSet: 3, configschema.NestingMap: 4,
				}[from.NestedType.Nesting],
			}
		} else {
			ty, err := tfconv.TypeFromCty(from.Type)
			if err != nil {
				t.Fatal(err)
			}
			attr.Type = ty
		}
		to = append(to, attr)
	}
	return to
}

// schema5 returns a schema without nested attributes as a schema of protocol 5.
func schema5(s *tfprotov6.Schema) *tfprotov5.Schema {
	return &tfprotov5.Schema{Version: s.Version, Block: block5(s.Block)}
}

func block5(b *tfprotov6.SchemaBlock) *tfprotov5.SchemaBlock {
	if b == nil {
		return nil
	}
	to := &tfprotov5.SchemaBlock{
		Version: b.Version, Description: b.Description, DescriptionKind: tfprotov5.StringKind(b.DescriptionKind),
		Deprecated: b.Deprecated, DeprecationMessage: b.DeprecationMessage,
	}
	for _, a := range b.Attributes {
		to.Attributes = append(to.Attributes, &tfprotov5.SchemaAttribute{
			Name: a.Name, Type: a.Type, Description: a.Description, Required: a.Required, Optional: a.Optional, Computed: a.Computed,
			Sensitive: a.Sensitive, DescriptionKind: tfprotov5.StringKind(a.DescriptionKind), Deprecated: a.Deprecated,
			WriteOnly: a.WriteOnly, DeprecationMessage: a.DeprecationMessage,
		})
	}
	for _, nb := range b.BlockTypes {
		to.BlockTypes = append(to.BlockTypes, &tfprotov5.SchemaNestedBlock{
			TypeName: nb.TypeName, Block: block5(nb.Block), Nesting: tfprotov5.SchemaNestedBlockNestingMode(nb.Nesting),
			MinItems: nb.MinItems, MaxItems: nb.MaxItems,
		})
	}
	return to
}

// expressible reports whether each protocol can carry the schema. Neither has computed blocks, and
// protocol 5 has no nested attributes.
func expressible(b *configschema.Block) (six, five bool) {
	six, five = true, true
	for _, a := range b.Attributes {
		five = five && a.NestedType == nil
	}
	for _, nb := range b.BlockTypes {
		inSix, inFive := expressible(&nb.Block)
		six, five = six && inSix && !nb.Computed, five && inFive && !nb.Computed
	}
	return six, five
}

type proposal struct {
	schema        *configschema.Block
	prior, config cty.Value
}

// recordedProposals returns the recorded inputs of Core's function that proposes a new state.
func recordedProposals(t *testing.T) (all []proposal) {
	t.Helper()
	proposed := func(_ string, op conformance.Op) bool { return op == conformance.OpProposed }
	for c, err := range conformance.Select(proposed) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(c.File, "random.jsonl.gz") {
			all = append(all, proposal{c.Schema.Block, decoded(t, c, "prior"), decoded(t, c, "config")})
		}
	}
	return all
}

// decoded returns a value of the case as this package decodes it. It fails the test if cty's codec
// returns another value.
func decoded(t *testing.T, c *conformance.Case, name string) cty.Value {
	t.Helper()
	want, ty := c.In[name], c.Schema.Block.ImpliedType()
	encoded, err := msgpack.Marshal(want, ty)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tfconv.Decode6(&tfprotov6.DynamicValue{MsgPack: encoded}, ty)
	if err != nil || !got.RawEquals(want) {
		t.Fatalf("%s %s: got %#v, %v; want %#v", c.Name(), name, got, err, want)
	}
	return got
}

// unrefined returns the value as a value of tftypes, and that value converted back to cty.
func unrefined(t *testing.T, v cty.Value) (tftypes.Value, cty.Value) {
	t.Helper()
	tf, err := tfconv.ValueFromCty(v)
	if err != nil {
		t.Fatal(err)
	}
	back, err := tfconv.ValueToCty(tf, v.Type())
	if err != nil {
		t.Fatal(err)
	}
	return tf, back
}

// TestProposedNewRecorded checks that ProposedNew5 and ProposedNew6 return the same value as
// package objchange for each recorded input of Core.
func TestProposedNewRecorded(t *testing.T) {
	var six, five int
	for _, p := range recordedProposals(t) {
		inSix, inFive := expressible(p.schema)
		if !inSix {
			continue
		}
		tfPrior, prior := unrefined(t, p.prior)
		tfConfig, config := unrefined(t, p.config)
		want, wantErr := objchange.ProposedNew(must(objchange.Compile(p.schema)), prior, config)
		schema := &tfprotov6.Schema{Block: protocol6(t, p.schema)}
		six++
		got, err := tfconv.ProposedNew6(schema, tfPrior, tfConfig)
		expectProposal(t, p.schema, got, err, want, wantErr)
		if inFive {
			five++
			got, err := tfconv.ProposedNew5(schema5(schema), tfPrior, tfConfig)
			expectProposal(t, p.schema, got, err, want, wantErr)
		}
	}
	if six < 1000 || five < 100 {
		t.Errorf("only %d proposals for protocol 6 and %d for protocol 5 were recorded", six, five)
	}
}

func expectProposal(t *testing.T, schema *configschema.Block, got tftypes.Value, err error, want cty.Value, wantErr error) {
	t.Helper()
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("got error %v, want %v", err, wantErr)
	}
	if err != nil {
		return
	}
	_, want = unrefined(t, want)
	proposed, err := tfconv.ValueToCty(got, schema.ImpliedType())
	if err != nil || !proposed.RawEquals(want) {
		t.Fatalf("got %#v, %v; want %#v", proposed, err, want)
	}
}

// TestProposedNewRealRuns checks that ProposedNew5 returns the proposed value that Core sent in
// real runs.
func TestProposedNewRealRuns(t *testing.T) {
	const recordings = "../testdata/recordings/time"
	document, err := os.ReadFile(filepath.Join(recordings, "schemas.json"))
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := configschema.ParseProviderSchemas(document)
	if err != nil {
		t.Fatal(err)
	}
	plans := 0
	for _, run := range []string{"1-create", "2-noop", "3-update", "4-replace", "5-destroy"} {
		for _, plan := range recordedPlans(t, filepath.Join(recordings, run)) {
			schema := schema5(&tfprotov6.Schema{Block: protocol6(t, must(schemas.Resource("", plan.typeName)).Block)})
			value := func(field uint64) tftypes.Value {
				return must((tfprotov5.DynamicValue{MsgPack: bytesField(bytesField(plan.request, field), 1)}).Unmarshal(schema.ValueType()))
			}
			got, err := tfconv.ProposedNew5(schema, value(2), value(4)) // the prior state and the configuration
			if want := value(3); err != nil || !got.Equal(want) {
				t.Errorf("%s, %s: got %s, %v; want %s", run, plan.typeName, got, err, want)
			}
			plans++
		}
	}
	if plans < 10 {
		t.Errorf("only %d plans were recorded", plans)
	}
}

// A recordedPlan is a message of type PlanResourceChange.Request.
type recordedPlan struct {
	typeName string
	request  []byte
}

// recordedPlans returns the plan requests of a recorded run.
func recordedPlans(t *testing.T, dir string) (plans []recordedPlan) {
	t.Helper()
	recording, err := os.ReadFile(filepath.Join(dir, "exchanges.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for text := range bytes.Lines(recording) {
		var line struct {
			RPC, Type string
			Requests  [][]byte
		}
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatal(err)
		}
		if line.RPC == "PlanResourceChange" {
			plans = append(plans, recordedPlan{line.Type, line.Requests[0]})
		}
	}
	return plans
}

// bytesField returns the content of a protobuf field that has bytes.
func bytesField(message []byte, number uint64) (found []byte) {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		content, m := binary.Uvarint(message[n:])
		message = message[n+m:]
		if tag&7 != 2 {
			continue // a number, not bytes
		}
		if tag>>3 == number {
			found = message[:content]
		}
		message = message[content:]
	}
	return found
}

// TestNullOfAnyTypeIsNull checks that a null of any type counts as null. SDKs often use the type of
// an older schema, or no type.
func TestNullOfAnyTypeIsNull(t *testing.T) {
	schema := &tfprotov6.Schema{Block: name6("a")}
	ty := schema.ValueType()
	proposer, err := tfconv.NewProposer6(schema)
	if err != nil {
		t.Fatal(err)
	}
	config := tftypes.NewValue(ty, map[string]tftypes.Value{"a": tfString("x")})
	for _, own := range []tftypes.Type{
		ty, tftypes.DynamicPseudoType, tftypes.String, tftypes.Object{}, tftypes.Map{ElementType: tftypes.String},
		tftypes.Object{AttributeTypes: map[string]tftypes.Type{"b": tftypes.Bool}},
	} {
		none, want := tftypes.NewValue(own, nil), tftypes.NewValue(ty, nil)
		for name, propose := range map[string]func(prior, config tftypes.Value) (tftypes.Value, error){
			"Proposer":     proposer.ProposedNew,
			"ProposedNew6": func(p, c tftypes.Value) (tftypes.Value, error) { return tfconv.ProposedNew6(schema, p, c) },
			"ProposedNew5": func(p, c tftypes.Value) (tftypes.Value, error) { return tfconv.ProposedNew5(schema5(schema), p, c) },
		} {
			if got, err := propose(none, config); err != nil || !got.Equal(config) {
				t.Errorf("%s of a prior null of %s: %s, %v", name, own, got, err)
			}
			if got, err := propose(config, none); err != nil || !got.Equal(want) {
				t.Errorf("%s of a configuration null of %s: %s, %v", name, own, got, err)
			}
			if got, err := propose(none, none); err != nil || !got.Equal(want) {
				t.Errorf("%s of nulls of %s: %s, %v", name, own, got, err)
			}
		}
		if got, err := proposer.PlannedDataResource(none); err != nil || !got.Equal(want) {
			t.Errorf("PlannedDataResource of a null of %s: %s, %v", own, got, err)
		}
	}
}

// TestRefusedTypeOfNull checks that the message for a rejected type says whether the value is null
// or unknown, and names its type.
func TestRefusedTypeOfNull(t *testing.T) {
	ab := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"b": tftypes.String}}
	for _, test := range []struct {
		value tftypes.Value
		ty    cty.Type
		want  string
	}{
		{tftypes.NewValue(tftypes.String, nil), cty.EmptyObject, "the value: must be of type object, but is null of type string"},
		{tftypes.NewValue(tftypes.String, tftypes.UnknownValue), cty.Bool, "the value: must be of type bool, but is unknown of type string"},
		{tftypes.NewValue(ab, nil), cty.EmptyObject, "the value: must be of type object, but is null of another type object"},
		{
			tftypes.NewValue(tftypes.List{ElementType: tftypes.Bool}, []tftypes.Value{tftypes.NewValue(tftypes.Bool, nil)}),
			cty.List(cty.Number), "[0]: must be of type number, but is null of type bool",
		},
	} {
		if _, err := tfconv.ValueToCty(test.value, test.ty); err == nil || err.Error() != test.want {
			t.Errorf("got error %v, want %q", err, test.want)
		}
	}
}

// TestNestedAttributeWithoutFlags checks that an attribute without flags is accepted and counts as
// optional, with and without nested attributes.
func TestNestedAttributeWithoutFlags(t *testing.T) {
	schema := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "nested", NestedType: &tfprotov6.SchemaObject{
			Nesting:    tfprotov6.SchemaObjectNestingModeSingle,
			Attributes: []*tfprotov6.SchemaAttribute{{Name: "a", Type: tftypes.String}},
		}},
		{Name: "plain", Type: tftypes.String},
	}}}
	converted, err := tfconv.Schema6(schema)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tfconv.SchemaTo6(converted); err != nil {
		t.Error("back:", err)
	}
	object := schema.ValueType().(tftypes.Object)
	nested := object.AttributeTypes["nested"]
	value := func(text any) tftypes.Value {
		return tftypes.NewValue(object, map[string]tftypes.Value{
			"nested": tftypes.NewValue(nested, map[string]tftypes.Value{"a": tftypes.NewValue(tftypes.String, text)}),
			"plain":  tftypes.NewValue(tftypes.String, text),
		})
	}
	got, err := tfconv.ProposedNew6(schema, value("x"), value(nil))
	if err != nil || !got.Equal(value(nil)) {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestProposedNewErrors(t *testing.T) {
	schema := &tfprotov6.Schema{Block: name6("a")}
	none := tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	tests := map[string]struct {
		schema        *tfprotov6.Schema
		prior, config tftypes.Value
		want          string
	}{
		"schema":        {nil, none, none, "the schema: the schema is nil"},
		"prior":         {schema, tfString(canary), none, "the prior state: the value: must be an object, not a string"},
		"configuration": {schema, none, tfString(canary), "the configuration: the value: must be an object, not a string"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := tfconv.ProposedNew6(test.schema, test.prior, test.config)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
	t.Run("an unknown prior value and configuration", func(t *testing.T) {
		unknown := tftypes.NewValue(schema.ValueType(), tftypes.UnknownValue)
		if got, err := tfconv.ProposedNew6(schema, unknown, unknown); err != nil || !got.Equal(unknown) {
			t.Errorf("got %s, %v", got, err)
		}
	})
	for name, nothing := range map[string]tftypes.Value{"a null of another type": none, "the zero Value": {}} {
		t.Run(name, func(t *testing.T) {
			got, err := tfconv.ProposedNew6(schema, nothing, nothing)
			if want := tftypes.NewValue(schema.ValueType(), nil); err != nil || !got.Equal(want) {
				t.Errorf("got %s, %v; want %s", got, err, want)
			}
		})
	}
}

// TestPlannedDataResource checks that the functions of both protocols return the same value.
func TestPlannedDataResource(t *testing.T) {
	schema := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "a", Type: tftypes.String, Optional: true}, {Name: "b", Type: tftypes.String, Computed: true},
	}}}
	object := func(b any) tftypes.Value {
		return tftypes.NewValue(schema.ValueType(), map[string]tftypes.Value{"a": tfString("x"), "b": tftypes.NewValue(tftypes.String, b)})
	}
	six, err := tfconv.PlannedDataResource6(schema, object(nil))
	five, err5 := tfconv.PlannedDataResource5(schema5(schema), object(nil))
	if want := object(tftypes.UnknownValue); err != nil || err5 != nil || !six.Equal(want) || !five.Equal(want) {
		t.Errorf("%s, %v; %s, %v", six, err, five, err5)
	}
}
