package objchange

import (
	"bytes"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Shared pointers make a small schema, or a small type, that is very large
// when it is written.
func TestMarshalTooLarge(t *testing.T) {
	var block Block
	for range 40 {
		nb := &NestedBlock{Block: block, Nesting: NestingList}
		block = Block{BlockTypes: map[string]*NestedBlock{"a": nb, "b": nb}}
	}
	ty := cty.String
	for range 40 {
		ty = cty.Tuple([]cty.Type{ty, ty})
	}
	attribute := Attribute{Type: ty}
	for _, fields := range []func(*codec){block.jsonFields, attribute.jsonFields} {
		c := codec{out: new(bytes.Buffer), size: 1 << 20}
		c.write(fields)
		if c.err == nil {
			t.Error("no error")
		}
		if c.out.Len() > 2*c.size {
			t.Errorf("%d bytes are written, more than twice the limit", c.out.Len())
		}
	}
}
