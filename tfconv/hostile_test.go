package tfconv_test

import (
	"math/big"
	"runtime"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfconv"
)

// TestNumbersWithManyDigitsAreErrors checks that numbers with too many digits are errors. Writing
// them in decimal takes a time that grows with the square of the digits.
func TestNumbersWithManyDigitsAreErrors(t *testing.T) {
	tiny := new(big.Float).SetMantExp(big.NewFloat(1), -340_000)
	precise := new(big.Float).SetPrec(350_000).Add(big.NewFloat(1), tiny) // 1 + 2^-340000
	const want = "a number of more than 4096 binary digits"
	_, to := tfconv.ValueToCty(tftypes.NewValue(tftypes.Number, precise), cty.Number)
	_, from := tfconv.ValueFromCty(cty.NumberVal(precise))
	_, encoded := tfconv.Encode6(cty.NumberVal(precise), cty.Number)
	for name, err := range map[string]error{"ValueToCty": to, "ValueFromCty": from, "Encode6": encoded} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestTooDeepToEncode checks that a deep value of dynamic type is an error, as for ValueFromCty.
func TestTooDeepToEncode(t *testing.T) {
	v := cty.True
	for range 600 {
		v = cty.TupleVal([]cty.Value{v})
	}
	_, err := tfconv.Encode6(v, cty.DynamicPseudoType)
	if err == nil || !strings.Contains(err.Error(), "nested deeper than 500 levels") {
		t.Error(err)
	}
}

// TestManyUnknownElements checks that a set of too many elements with unknown values is an error,
// because cty compares each of them with all others.
func TestManyUnknownElements(t *testing.T) {
	const n, want = 5000, "a set of more than 4096 elements with unknown values"
	ty := cty.Set(cty.String)
	encoded := "\xdc" + string([]byte{n >> 8, n & 0xff}) + strings.Repeat("\xd4\x00\x00", n) // an array of unknown values
	_, decoded := tfconv.Decode6(&tfprotov6.DynamicValue{MsgPack: []byte(encoded)}, ty)
	elems := make([]tftypes.Value, n)
	for i := range elems {
		elems[i] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	}
	_, converted := tfconv.ValueToCty(tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, elems), ty)
	for name, err := range map[string]error{"Decode6": decoded, "ValueToCty": converted} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// TestClaimedLengthsTakeLittleMemory checks that a decoder does not keep the memory for a length that
// an earlier value only claimed.
func TestClaimedLengthsTakeLittleMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 25 {
		for _, claim := range []string{"\xdb\xff\xff\xff\xff", "\xc9\xff\xff\xff\xff\x0c"} {
			if _, err := tfconv.Decode6(packed(claim), cty.String); err == nil {
				t.Errorf("%q: no error", claim)
			}
		}
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 400 {
		t.Errorf("%d MB", got)
	}
}

// TestLongPathIsConverted checks that a long path is converted.
func TestLongPathIsConverted(t *testing.T) {
	var path cty.Path
	for range 20_000 {
		path = append(path, cty.GetAttrStep{Name: "a"}, cty.IndexStep{Key: cty.StringVal("b")})
	}
	if to, err := tfconv.PathFromCty(path); err != nil || len(to.Steps()) != len(path) {
		t.Error(err)
	}
}
