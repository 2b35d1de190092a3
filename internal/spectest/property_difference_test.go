package spectest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/spectest/generate"
	. "github.com/objchange/objchange/internal/testcty"
)

// TestMessagesShowDifferentText checks that a message about two different values shows different
// text for them, even if the difference is small.
func TestMessagesShowDifferentText(t *testing.T) {
	pairs := generator(func(d decider) [2]cty.Value {
		ty := d.PlainType(generate.Scope{})
		one, other := d.Plain(ty, generate.Anything, false), d.Plain(ty, generate.Anything, false)
		if d.OneIn(2) {
			other = d.ChangePart(one)
		}
		if d.OneIn(2) {
			one, other = lengthened(one), lengthened(other)
		}
		return [2]cty.Value{one, other}
	})
	sentences := []*regexp.Regexp{
		regexp.MustCompile(`^(?:at .*?, |in the JSON .*?, )*planned (.*), but the configuration has (.*?)( \(.*)?$`),
		regexp.MustCompile(`^(?:at .*?, |in the JSON .*?, )*planned (.*), but got (.*?)( \(.*)?$`),
		regexp.MustCompile(`^(?:at .*?, )?planned (type .*), but got (type .*)()$`),
		regexp.MustCompile(`^~ \.v[^:]*: (?:at .*?, |in the JSON .*?, )*(.*) -> (.*?)( \(.*)?$`),
	}
	schema, matched := SchemaOf(Attr(cty.DynamicPseudoType, "optional")), map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		var texts []string
		for _, p := range rapid.SliceOfN(pairs, 30, 30).Draw(t, "pairs") {
			found := objchange.AssertPlanValid(Compiled(schema), cty.NilVal, ObjectOf(p[1]), ObjectOf(p[0]))
			for _, v := range append(found, objchange.AssertPlanConsistent(Compiled(schema), ObjectOf(p[1]), ObjectOf(p[0]))...) {
				texts = append(texts, v.Message)
			}
			changes, err := objchange.Diff(Compiled(schema), ObjectOf(p[0]), ObjectOf(p[1]))
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range changes {
				texts = append(texts, change.String())
			}
		}
		for _, text := range texts {
			for i, sentence := range sentences {
				if m := sentence.FindStringSubmatch(text); m != nil {
					matched[i]++
					if m[1] == m[2] && m[3] == "" {
						t.Fatal(text)
					}
				}
			}
		}
	})
	if len(matched) < len(sentences) {
		t.Errorf("some sentences matched no message: %v", matched)
	}
}

// lengthened adds text to both ends of each string, so messages must shorten it.
func lengthened(v cty.Value) cty.Value {
	return transform(v, func(v cty.Value) cty.Value {
		if v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
			return v
		}
		return Str(strings.Repeat("long ", 30) + v.AsString() + strings.Repeat(" text", 30))
	})
}
