// Package ctydata makes values of cty from plain data of Go and from JSON, by a schema.
package ctydata

import (
	"errors"
	"fmt"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsontext"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/zclconf/go-cty/cty"
)

// ValueOf returns the value of the schema's implied type that plain data of Go
// stands for:
//
//   - maps with strings as keys are an object, a map or a block; slices and arrays
//     are a list, a set, a tuple or blocks
//   - strings, bools, all numbers of Go, json.Number and *big.Float are what they
//     are, and convert as Terraform converts them ("8" is also a number); floats
//     are their shortest decimal
//   - nil is null
//   - cty.Value, known or not, marked or not, and a [Valuer] may be anywhere, and
//     need not be complete either; those that are null are null, blocks too
//
// Attributes that are missing are null. Blocks that are missing or nil are their
// empty value: no block, an empty collection, or for group nesting an empty
// block. In a dynamic place, data has the type that comes naturally: objects and
// tuples. Data that is nil is the null of the type, except for an []any and a
// map[string]any, which are empty. Other data needs a [Format]: structs, pointers, and
// slices and arrays of bytes, as json.RawMessage and net.IP are.
//
// The error joins a [ValueError] for each problem, each with its place, such as
// .rule[0].port: what is of another kind than its place, an attribute that does
// not exist, with the nearest name, two keys that are the same in Unicode NFC,
// numbers that are NaN, beyond 2^4096 or of more than 8192 digits (infinities are
// taken as float64 or *big.Float only), a zero cty.Value, an invalid schema.
// It shows no values, and no keys in what is sensitive. Nothing panics, whatever
// a Valuer does.
func ValueOf(schema *configschema.Block, data any) (cty.Value, error) {
	return Format{}.ValueOf(schema, data)
}

// ValueOfJSON is ValueOf for one JSON document: objects are objects, maps and
// blocks, and numbers are as exact as they are written. The error may also say
// where the JSON is malformed, or has a name twice in one object.
func ValueOfJSON(schema *configschema.Block, document []byte) (cty.Value, error) {
	data, err := jsontext.ParseMarked(document)
	if err != nil {
		return cty.NilVal, err
	}
	return ValueOf(schema, data)
}

// A Valuer is data that makes its own value. [ValueOf] asks it wherever it finds
// one, with the type of the place, which is cty.DynamicPseudoType where any will
// do.
type Valuer interface {
	CtyValue(cty.Type) (cty.Value, error)
}

// A ValueError is one problem of data that a value is to be made of.
type ValueError struct {
	// Path is the place in the value. Unlike Place, it has the names and keys that
	// are not to be shown; a set element is at its index in the data.
	Path   cty.Path
	Place  string // the place as it may be shown, .rule[0].port; "the value" for the root
	Hidden bool   // names or keys at the place are not to be shown
	Reason string // shows nothing that is hidden
}

// Error writes place and reason.
func (e *ValueError) Error() string {
	if e == nil {
		return "no error"
	}
	return e.Place + ": " + e.Reason
}

// A Format makes values of other data than [ValueOf] knows: structs, what a
// codec has read. The zero Format is that of ValueOf.
type Format struct {
	// Open, if any, turns a piece of data into some that ValueOf knows, one level
	// deep, or into a [Typed]. It is asked once of every piece, of nil where something
	// is missing and of parts of a cty.Value that is not complete, too, with the type
	// of the place. Its error is told as it is and must not show data.
	Open func(ty cty.Type, data any) (any, error)
	// Strict says that all attributes must be there, and that nothing converts but
	// text to numbers.
	Strict bool
	// Wire says that the data crossed a protocol: no name or key of it is shown,
	// the first problem is the only one, and elements of several types are not
	// made one.
	Wire bool
}

// Typed is data of a dynamic place that comes with its type.
type Typed struct {
	Type cty.Type
	Data any
}

// ValueOf is [ValueOf] in this format.
func (f Format) ValueOf(schema *configschema.Block, data any) (v cty.Value, err error) {
	defer rescueData(&v, &err)
	if schema.Usable() != nil {
		return cty.NilVal, schema.Validate()
	}
	b := f.builder()
	return b.result(b.block(schema, schema.ImpliedType(), data))
}

// ValueOfType makes a value of the type, which may be or contain the dynamic
// type. Where there is no schema, nothing is known to be sensitive, and blocks
// are what their type says: missing ones are null.
func (f Format) ValueOfType(ty cty.Type, data any) (v cty.Value, err error) {
	defer rescueData(&v, &err)
	if !values.TypeUsable(ty) {
		return cty.NilVal, errors.New("the type has a part that is the zero cty.Type")
	}
	b := f.builder()
	return b.result(b.value(values.WithoutOptional(ty), data))
}

func (f Format) builder() builder {
	b := builder{Format: f, hide: -1}
	if f.Wire {
		b.hide = 0
	}
	return b
}

// rescueData makes an error of a panic of cty or of a method of the data. What
// was panicked with may hold values, so it is not told.
func rescueData(v *cty.Value, err *error) {
	if recover() != nil {
		*v, *err = cty.NilVal, errors.New("the value cannot be used: working with it panics")
	}
}

// A builder makes values of a type from data. It is the one place that knows
// which data makes which value; the codecs of cty panic on some, know no places
// and let others pass that do not conform.
type builder struct {
	Format
	way      []paths.Step
	hide     int // from which step on names and keys of the data are hidden, or -1
	problems []error
	free     int // how many dynamic places we are in, where names come from the data
}

// fail records a problem at the place and returns no value.
func (b *builder) fail(format string, args ...any) cty.Value {
	place := paths.Text(b.way, b.hide)
	if place == "" {
		place = "the value"
	}
	b.problems = append(b.problems, &ValueError{paths.Path(b.way), place, b.hidden(), fmt.Sprintf(format, args...)})
	return cty.NilVal
}

// hidden reports whether names and keys at the place are not to be shown.
func (b *builder) hidden() bool { return b.hide >= 0 }

// done reports whether there is no point in looking further. A person wants to
// know of all problems; what crossed a protocol is broken with the first.
func (b *builder) done() bool { return b.Wire && len(b.problems) > 0 }

// result returns what was made, or the problems.
func (b *builder) result(v cty.Value) (cty.Value, error) {
	if err := errors.Join(b.problems...); err != nil {
		return cty.NilVal, err
	}
	return v, nil
}

// at makes the value of a place inside.
func (b *builder) at(s paths.Step, make func() cty.Value) cty.Value {
	b.way = append(b.way, s)
	v := make()
	b.way = b.way[:len(b.way)-1]
	return v
}
