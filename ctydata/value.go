// Package ctydata makes cty values from plain Go data and from JSON, according to a schema.
package ctydata

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsontext"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// ValueOf returns a value of the schema's implied type, made from plain Go data:
//
//   - A map with string keys becomes an object, a map or a block. A slice or an array becomes
//     a list, a set, a tuple or a collection of blocks.
//   - A string, a bool, a Go number, a json.Number or a *big.Float becomes a primitive value.
//     It converts to the type of the attribute as in Terraform: "8" is accepted as a number.
//     A float becomes its shortest decimal.
//   - nil becomes null.
//   - A cty.Value or a [Valuer] may be anywhere in the data. The value may be unknown, marked,
//     or incomplete, with attributes missing. A null value stays null, also for blocks.
//
// A missing attribute is null. A missing or nil block type gets its empty value: null for
// single nesting, an empty block for group nesting, and otherwise an empty collection. Where the
// schema has the dynamic type, the type follows from the data: maps become objects, and slices
// become tuples. A nil slice, map or *big.Float is null, except that a nil []any or
// map[string]any is empty. ValueOf does not accept structs, pointers, and slices or arrays of
// bytes, such as json.RawMessage and net.IP. Use a [Format] for them.
//
// The error joins a *[ValueError] for each problem, each with its path, such as .rule[0].port.
// Problems are: data of the wrong kind, an attribute that does not exist (the error suggests
// the nearest name), two keys that are equal in Unicode NFC, a number that is NaN, beyond
// 2^4096, closer to zero than 2^-4096 or longer than 8192 digits, and a zero cty.Value. An
// infinity is accepted only as a float or a *big.Float. If the schema is not usable, ValueOf
// returns the error of [configschema.Block.Validate]. Errors show no values, and no keys inside
// sensitive attributes. ValueOf does not panic, even if a Valuer panics.
func ValueOf(schema *configschema.Block, data any) (cty.Value, error) {
	return Format{}.ValueOf(schema, data)
}

// ValueOfJSON is like [ValueOf] for a JSON document. A JSON object becomes an object, a map or
// a block. Numbers keep their exact value. If an object has a name twice, the last value counts.
// The error may also give the position of malformed JSON.
func ValueOfJSON(schema *configschema.Block, document []byte) (cty.Value, error) {
	data, err := jsontext.Parse(document)
	if err != nil {
		return cty.NilVal, err
	}
	return ValueOf(schema, data)
}

// A Valuer is Go data that returns its own cty.Value. [ValueOf] calls CtyValue for each Valuer in
// the data, with the expected type. The type is cty.DynamicPseudoType if any type is accepted.
type Valuer interface {
	CtyValue(cty.Type) (cty.Value, error)
}

// A ValueError is one problem of the data that a value is made from.
type ValueError struct {
	// Path leads to the problem in the value. The step to a set element is its index in the data.
	Path    cty.Path
	Shown   cty.Path // Path for display: each name or key that must not be shown is a marked key
	Reason  string   // does not show hidden data
	Missing bool     // the data has no value for an attribute, and the format is strict
}

// Error returns the path for display, such as .rule[0].port, or "the value" for the root, and the reason.
func (e *ValueError) Error() string {
	if e == nil {
		return "no error"
	}
	return cmp.Or(paths.String(e.Shown), "the value") + ": " + e.Reason
}

// A Format makes values from data that [ValueOf] does not accept, such as structs or the output
// of a decoder. The zero Format behaves like ValueOf.
type Format struct {
	// Open, if it is set, converts one level of the data to data that ValueOf accepts, or to a
	// [TypedData]. It is called once for each piece of data, with the expected type. It is also
	// called with nil for missing data, and with the parts of an incomplete cty.Value. Its
	// error becomes the reason of a [ValueError], and must not show data.
	Open func(ty cty.Type, data any) (any, error)
	// Strict makes it an error if an attribute is missing, or if data must be converted to
	// another type. Text may still be converted to numbers.
	Strict bool
	// Wire means that the data comes from a protocol message. Errors then show no names or keys
	// of the data, only the first problem is reported, and elements of different types are not
	// converted to one type.
	Wire bool
}

// A TypedData is data with its type. It is for parts of a value that have the dynamic type in the
// schema.
type TypedData struct {
	Type cty.Type
	Data any
}

// ValueOf is like the function [ValueOf], for data in this format.
func (f Format) ValueOf(schema *configschema.Block, data any) (v cty.Value, err error) {
	defer values.Rescue(&v, &err)
	if schema.Usable() != nil {
		return cty.NilVal, schema.Validate()
	}
	b := f.builder()
	return b.result(b.block(schema, schema.ImpliedType(), data))
}

// ValueOfType makes a value of the type, which may be or contain the dynamic type. Without a
// schema, nothing is sensitive, and missing blocks are null like other attributes of the type.
// Its errors are the same as for [Format.ValueOf].
func (f Format) ValueOfType(ty cty.Type, data any) (v cty.Value, err error) {
	defer values.Rescue(&v, &err)
	if !values.TypeUsable(ty) {
		return cty.NilVal, errors.New("the type has a part that is the zero cty.Type")
	}
	b := f.builder()
	return b.result(b.value(ty.WithoutOptionalAttributesDeep(), data))
}

func (f Format) builder() builder {
	b := builder{Format: f, hide: -1}
	if f.Wire {
		b.hide = 0
	}
	return b
}

// A builder makes values of a type from data. It does not use the codecs of cty, because they
// panic on some data, give no paths, and accept some data that does not conform.
type builder struct {
	Format
	path         []paths.Step
	hide         int // the first step whose names and keys are hidden, or -1
	problems     []error
	dynamicDepth int // the number of enclosing dynamic places, in which the data determines the names
}

// fail records a problem at the current path. It returns the zero cty.Value.
func (b *builder) fail(format string, args ...any) cty.Value {
	return b.problem(ValueError{Reason: fmt.Sprintf(format, args...)})
}

// problem records a problem at the current path. It returns the zero cty.Value.
func (b *builder) problem(e ValueError) cty.Value {
	e.Path, e.Shown = paths.Path(b.path), paths.Shown(b.path, b.hide)
	b.problems = append(b.problems, &e)
	return cty.NilVal
}

// hidden reports whether errors hide names and keys at the current path.
func (b *builder) hidden() bool { return b.hide >= 0 }

// done reports whether the builder has to stop. In the wire format, it stops at the first
// problem. Otherwise it collects all problems.
func (b *builder) done() bool { return b.Wire && len(b.problems) > 0 }

// result returns the value, or the error that joins the problems.
func (b *builder) result(v cty.Value) (cty.Value, error) {
	if err := errors.Join(b.problems...); err != nil {
		return cty.NilVal, err
	}
	return v, nil
}

// at calls make with the step appended to the path.
func (b *builder) at(s paths.Step, make func() cty.Value) cty.Value {
	b.path = append(b.path, s)
	v := make()
	b.path = b.path[:len(b.path)-1]
	return v
}
