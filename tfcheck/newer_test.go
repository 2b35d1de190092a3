package tfcheck_test

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/encoded"
	"github.com/objchange/objchange/tfcheck/internal/codec"
	"github.com/objchange/objchange/tfconv"
)

// A part is a field of an encoded message.
type part struct {
	number protowire.Number
	value  any // string or []byte, or uint64
}

func encodedMessage(parts ...part) (encoded []byte) {
	for _, p := range parts {
		switch v := p.value.(type) {
		case string:
			encoded = protowire.AppendString(protowire.AppendTag(encoded, p.number, protowire.BytesType), v)
		case []byte:
			encoded = protowire.AppendBytes(protowire.AppendTag(encoded, p.number, protowire.BytesType), v)
		case int:
			encoded = protowire.AppendVarint(protowire.AppendTag(encoded, p.number, protowire.VarintType), uint64(v))
		}
	}
	return encoded
}

// newerSchemas returns an encoded response to GetProviderSchema. Its resource type test_thing has a
// list of blocks "item" with a computed string "a". The parts are added to the message of the block.
func newerSchemas(inBlock ...part) []byte {
	attribute := encodedMessage(part{1, "a"}, part{2, `"string"`}, part{5, 1})
	block := encodedMessage(append([]part{{2, attribute}}, inBlock...)...)
	nested := encodedMessage(part{1, "item"}, part{2, block}, part{3, 2}) // a list
	schema := encodedMessage(part{2, encodedMessage(part{3, nested})})
	return encodedMessage(part{2, encodedMessage(part{1, "test_thing"}, part{2, schema})})
}

// TestNewerSchemaFieldsAreChecked checks the fields of a schema that tfprotov6 does not have: computed blocks are
// checked as such in protocol 6, and a type with any other new field is not checked.
func TestNewerSchemaFieldsAreChecked(t *testing.T) {
	for name, test := range map[string]struct {
		protocol int
		more     []part
		rule     objchange.Rule
		err      string
	}{
		"no field":       {6, nil, objchange.RulePlanCount, ""},
		"computed":       {6, []part{{8, 1}}, "", ""},
		"not computed":   {6, []part{{8, 0}}, objchange.RulePlanCount, ""},
		"another type":   {6, []part{{8, "x"}}, "", `the schema of "test_thing" has field 8 of Schema.Block, which this version of objchange does not know`},
		"another number": {6, []part{{9, 1}}, "", `the schema of "test_thing" has field 9 of Schema.Block, which this version of objchange does not know`},
		"protocol 5":     {5, []part{{8, 1}}, "", `the schema of "test_thing" has field 8 of Schema.Block, which this version of objchange does not know`},
	} {
		t.Run(name, func(t *testing.T) {
			items := func(n int) *tfprotov6.DynamicValue {
				ty := cty.Object(map[string]cty.Type{"item": cty.List(cty.Object(map[string]cty.Type{"a": cty.String}))})
				list := cty.NullVal(ty.AttributeType("item"))
				if n > 0 {
					list = cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x")})})
				}
				return must(tfconv.Encode6(cty.ObjectVal(map[string]cty.Value{"item": list}), ty))
			}
			rpc := must(codec.Find(codec.Service(test.protocol), "PlanResourceChange"))
			none := must(tfconv.Encode6(cty.NullVal(cty.EmptyObject), cty.EmptyObject))
			request := must(rpc.Request.Marshal(&tfprotov6.PlanResourceChangeRequest{
				TypeName: "test_thing", PriorState: none, ProposedNewState: items(0), Config: items(0),
			}))
			response := must(rpc.Response.Marshal(&tfprotov6.PlanResourceChangeResponse{PlannedState: items(1)}))
			ask := func(context.Context, string) ([]byte, error) { return newerSchemas(test.more...), nil }
			seen, err := must(encoded.New(test.protocol, "")).Check(ctx, ask, rpc.Path, request, response)
			if err != nil || test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Errorf("got error %v, want %q", err, test.err)
				}
				return
			}
			var got objchange.Rule
			for _, f := range findings(seen) {
				got = f.Violations[0].Rule
			}
			if got != test.rule {
				t.Errorf("got rule %q, want %q", got, test.rule)
			}
		})
	}
}

// TestNewCapabilitiesAreSentFor117 checks that drivers that behave like Terraform 1.17 send its client
// capabilities, and that others do not.
func TestNewCapabilitiesAreSentFor117(t *testing.T) {
	for _, test := range []struct {
		protocol int
		version  string
		want     string
	}{
		{6, "1.16.0", ""}, {6, "1.17.0", "\x18\x01\x20\x01"}, {5, "1.17.0", "\x18\x01"},
	} {
		to := &capabilities{memory: memory{on(), codec.Service(test.protocol)}}
		server := codec.NewClient(to.service, to.Call)
		drive(t, server, driver.TerraformVersion(test.version))
		if to.sent != test.want {
			t.Errorf("protocol %d, version %s: sent % x, want % x", test.protocol, test.version, to.sent, test.want)
		}
	}
}

// A capabilities is a connection that keeps the end of the request to configure the provider: the
// client capabilities that tfprotov6 does not have.
type capabilities struct {
	memory
	sent string
}

func (c *capabilities) Call(ctx context.Context, path string, request []byte) ([]byte, error) {
	if path == must(codec.Find(c.service, "ConfigureProvider")).Path {
		for rest := request; len(rest) > 0; {
			_, _, n := protowire.ConsumeField(rest)
			number, _, tag := protowire.ConsumeTag(rest)
			if number == 3 { // client_capabilities; the last one is the added one
				value, _ := protowire.ConsumeBytes(rest[tag:])
				c.sent = string(value)
			}
			rest = rest[n:]
		}
	}
	return c.memory.Call(ctx, path, request)
}
