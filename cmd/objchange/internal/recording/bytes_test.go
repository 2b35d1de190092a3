package recording

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Strings may have any bytes, which the wire carries, and so may keys of maps.
func TestBytes(t *testing.T) {
	object := func(id, user string) cty.Value {
		return thing(map[string]cty.Value{
			"id": cty.StringVal(id),
			"users": cty.MapVal(map[string]cty.Value{
				user: cty.ObjectVal(map[string]cty.Value{"token": cty.NullVal(cty.String)}),
			}),
		})
	}
	r := newRecorder(t)
	r.read(object("a\xff", "b\xff"))
	r.plan(object("a\xff", "b\xff"), object("a\xff", "b\xff"), object("a\xff", "b\xff"), object("a\xff", "b\xff"))
	r.apply(object("a\xff", "b\xff"), object("a\xff", "b\xff"), object("a\xfe", "b\xfe"))

	expect(t, r, `
ReadResource test_thing -: judged
PlanResourceChange test_thing no-op: judged
ApplyResourceChange test_thing no-op: judged
  inconsistent-value .id: was planned to be "a\xff" and is "a\xfe"
  inconsistent-key .users: ...
`)
}
