package tfconv_test

import (
	"reflect"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/internal/spectest/generate"
)

// latin is not UTF-8. Core and cty accept any bytes in a string, and some real providers return
// such strings.
const latin = "caf\xe9"

// canary is a secret that must not occur in an error.
const canary = "hunter2"

var capsule = cty.Capsule("thing", reflect.TypeFor[int]())

func decider(t *rapid.T) generate.Decider {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
}

// drawValue returns a value of a schema as cty's codec returns it, with nulls, unknown values and
// refinements. Its type has no dynamic parts, because the type of such a part can be lost.
func drawValue(t *rapid.T) cty.Value {
	d := decider(t)
	schema := d.Schema(generate.Scope{Depth: 1 + d(2), InSet: true})
	v := d.Value(schema, generate.NoValue, generate.Anything)
	return must(msgpack.Unmarshal(must(msgpack.Marshal(v, v.Type())), v.Type()))
}

// withoutRefinements returns the value without refinements, which tftypes does not have.
func withoutRefinements(v cty.Value) cty.Value {
	return must(cty.Transform(v, func(_ cty.Path, part cty.Value) (cty.Value, error) {
		if !part.IsKnown() {
			return cty.UnknownVal(part.Type()), nil
		}
		return part, nil
	}))
}

// scalars are values of each kind that the codecs write in another way.
func scalars() (all []cty.Value) {
	for _, text := range []string{
		"0", "1", "-1", "127", "-129", "65536", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
		"18446744073709551616", "0.5", "0.1", "-2.75", "1e30", "3.14159265358979323846264338327950288419716939937510",
		"1e400", "1e-400",
	} {
		all = append(all, cty.MustParseNumberVal(text))
	}
	return append(all, cty.StringVal(latin), cty.MapVal(map[string]cty.Value{latin: cty.StringVal("é"), "": cty.StringVal("")}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A failure is an input with the error that it must cause.
type failure[In any] struct {
	in   In
	want string
}

// expectErrors checks the errors of a function.
func expectErrors[In, Out any](t *testing.T, call func(In) (Out, error), tests map[string]failure[In]) {
	t.Helper()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := call(test.in); err == nil || err.Error() != test.want {
				t.Errorf("got %v and error %v, want %q", got, err, test.want)
			}
		})
	}
}
