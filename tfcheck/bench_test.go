package tfcheck_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfconv"
)

// BenchmarkDriver is a whole life of a small resource: create, update, destroy.
func BenchmarkDriver(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		d := must(driver.New6(ctx, &fake{}))
		if err := d.Configure(ctx, nil); err != nil {
			b.Fatal(err)
		}
		thing := must(d.Resource("test_thing"))
		must(thing.Create(ctx, config))
		must(thing.Update(ctx, obj{"name": "a", "size": 2}))
		must(thing.Destroy(ctx))
	}
}

// A still server answers with what it was made with, at no cost.
type still struct {
	*fake
	planned *tfprotov6.PlanResourceChangeResponse
}

func (s *still) PlanResourceChange(context.Context, *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return s.planned, nil
}

// BenchmarkServer compares what wrapping adds to a plan that changes something,
// the RPC that is the most work, with decoding its messages as the provider
// does, with tftypes: the bound is to add less than decoding them twice. What
// cty's decoder takes, the fastest there is, stands beside it.
func BenchmarkServer(b *testing.B) {
	for _, rules := range []int{0, 100, 1000} {
		thing := obj{"name": "a", "size": 1, "rule": make([]any, rules)}
		for i := range rules {
			thing["rule"].([]any)[i] = obj{"port": i}
		}
		config := dynamic(thing)
		thing["id"], thing["token"] = "i-1", "old"
		prior := dynamic(thing)
		thing["token"] = nil
		proposed := dynamic(thing)
		planned := with(proposed, map[string]cty.Value{"id": cty.UnknownVal(cty.String)})
		req := &tfprotov6.PlanResourceChangeRequest{
			TypeName: "test_thing", PriorState: prior, Config: config, ProposedNewState: proposed,
		}
		inside := &still{&fake{}, &tfprotov6.PlanResourceChangeResponse{PlannedState: planned}}

		b.Run(fmt.Sprintf("rules=%d/wrapped", rules), func(b *testing.B) {
			server := tfcheck.Server6(inside, tfcheck.FailStrict(b))
			b.ReportAllocs()
			for b.Loop() {
				must(server.PlanResourceChange(ctx, req))
			}
		})
		values := []*tfprotov6.DynamicValue{req.PriorState, req.Config, req.ProposedNewState, planned}
		b.Run(fmt.Sprintf("rules=%d/decoding/cty", rules), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, v := range values {
					must(msgpack.Unmarshal(v.MsgPack, thingType))
				}
			}
		})
		b.Run(fmt.Sprintf("rules=%d/decoding/tftypes", rules), func(b *testing.B) {
			ty := must(tfconv.TypeFromCty(thingType))
			b.ReportAllocs()
			for b.Loop() {
				for _, v := range values {
					must(v.Unmarshal(ty))
				}
			}
		})
	}
}
