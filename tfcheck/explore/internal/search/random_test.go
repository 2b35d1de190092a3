package search

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// TestDraw checks that drawn values conform to the schema, and that the same seed gives the same
// values.
func TestDraw(t *testing.T) {
	k, same := newTestKnowledge(door), newTestKnowledge(door)
	ty := door.ImpliedType()
	drawn := map[string]bool{}
	for range 200 {
		v := k.draw(k.root)
		if again := same.draw(same.root); !v.RawEquals(again) {
			t.Fatalf("%#v, then %#v", v, again)
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

// TestDrawMatching checks that drawn texts match the pattern, unless the pattern is not supported.
func TestDrawMatching(t *testing.T) {
	for pattern, matches := range map[string]bool{
		`^[a-z][a-z0-9-]{2,5}$`: true, `^(?!aws)(dev|prod)-\d+$`: true, `(a|b)[^a]{3}.+\S*`: true, `((((a*)*)*)*)*b`: true, `a\bb`: false, `(`: false,
	} {
		text := drawText(rand.New(rand.NewPCG(1, 2)), []string{pattern})
		if matches && !regexp.MustCompile(lookaround.ReplaceAllString(pattern, "")).MatchString(text) {
			t.Errorf("%s: %q", pattern, text)
		}
	}
}
