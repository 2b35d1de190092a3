package search

import (
	"regexp"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// TestDraw checks that drawn values conform to the schema, and that the same seed gives the same
// values.
func TestDraw(t *testing.T) {
	k, same := newTestKnowledge(door), newTestKnowledge(door)
	ty := door.ImpliedType()
	drawn := map[string]bool{}
	for range 200 {
		v, ok := k.draw(k.root)
		if again, _ := same.draw(same.root); !ok || !v.RawEquals(again) {
			t.Fatalf("%v: %#v, then %#v", ok, v, again)
		}
		if !v.Type().Equals(ty) || v.GetAttr("wide").IsNull() || !v.GetAttr("id").IsNull() || v.GetAttr("lock").LengthInt() > 2 {
			t.Errorf("%#v", v)
		}
		drawn[brief(v)] = true
	}
	if len(drawn) < 190 {
		t.Errorf("%d values", len(drawn))
	}
}

func TestDrawMatching(t *testing.T) {
	for _, test := range []struct {
		pattern string
		ok      bool
	}{{`^[a-z][a-z0-9-]{2,5}$`, true}, {`^(?!aws)(dev|prod)-\d+$`, true}, {`(a|b)[^a]{3}.+\S*`, true}, {`((((a*)*)*)*)*b`, true}, {`a\bb`, false}, {`(`, false}} {
		k := newTestKnowledge(door)
		s := k.root.inner("name")
		s.setType(cty.String)
		s.patterns = []string{test.pattern}
		v, ok := k.draw(s)
		if ok != test.ok || ok && !regexp.MustCompile(lookaround.ReplaceAllString(test.pattern, "")).MatchString(v.AsString()) {
			t.Errorf("%s: %v, %#v", test.pattern, ok, v)
		}
	}
}
