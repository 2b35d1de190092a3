package tfconv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/values"
	"github.com/objchange/objchange/tfconv/internal/carry"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
	"github.com/zclconf/go-cty/cty"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"
)

// ErrMalformed reports that the input is not a well-formed value in MessagePack or JSON. Errors of
// Decode5 and Decode6 match it with errors.Is. Their other errors mean that the data does not
// conform to the type.
var ErrMalformed = errors.New("malformed MessagePack or JSON")

// A malformedError is an error that matches ErrMalformed.
type malformedError struct{ error }

func (malformedError) Is(target error) bool { return target == ErrMalformed }

// Decode6 returns a value encoded in protocol 6 as a cty.Value of the type. Parts of the type may
// be the dynamic type. Refinements of unknown values are kept. A nil or empty DynamicValue becomes
// a null of the type. If the DynamicValue has both MessagePack and JSON, Decode6 reads the
// MessagePack. In JSON, missing attributes are null, and primitive values are converted as
// Terraform converts them.
//
// It returns an error with the path if the data does not conform to the type, or if cty cannot
// represent it (see [ValueToCty]). For malformed input, or input with trailing data, the error
// matches [ErrMalformed]. The error contains neither values nor keys of maps. Decode6 does not
// panic, and checks claimed lengths against the remaining input before it allocates memory.
func Decode6(v *tfprotov6.DynamicValue, ty cty.Type) (cty.Value, error) {
	if ty == cty.NilType {
		return cty.NilVal, errors.New("the type is the zero cty.Type")
	}
	format, data, err := ctydata.Format{Open: openMsgPack, Strict: true, Wire: true}, any(nil), error(nil)
	switch {
	case v == nil:
	case len(v.MsgPack) > 0:
		data, err = readMsgPack(v.MsgPack)
	case len(v.JSON) > 0:
		format = ctydata.Format{Open: openJSON, Wire: true}
		data, err = readJSON(v.JSON)
	}
	if err != nil {
		return cty.NilVal, malformedError{err}
	}
	return format.ValueOfType(ty, data)
}

// openMsgPack interprets data from MessagePack for the type. A value of the dynamic type is a pair
// of its type and its value.
func openMsgPack(ty cty.Type, data any) (any, error) {
	if data, ok := data.(unknownData); ok {
		return data.value(ty)
	}
	if ty != cty.DynamicPseudoType || data == nil {
		return data, nil
	}
	if pair, ok := data.([]any); ok && len(pair) == 2 {
		text, _ := pair[0].(string)
		own, err := readJSON([]byte(text))
		if err != nil {
			return nil, errNoType
		}
		return typed(own, pair[1])
	}
	return nil, errors.New("a dynamic value must be a pair of its type and its value")
}

// openJSON interprets data from JSON for the type. For a string type, it accepts a number and
// returns its text.
func openJSON(ty cty.Type, data any) (any, error) {
	if number, ok := data.(json.Number); ok && ty == cty.String {
		_, err := ctydata.Format{}.ValueOfType(cty.Number, number)
		if at := (*ctydata.ValueError)(nil); errors.As(err, &at) {
			err = errors.New(at.Reason)
		}
		return number.String(), err
	}
	if ty != cty.DynamicPseudoType || data == nil {
		return data, nil
	}
	pair, _ := data.(map[string]any)
	own, hasType := pair["type"]
	inner, hasValue := pair["value"]
	if !hasType || !hasValue || len(pair) != 2 {
		return nil, errors.New(`a dynamic value must be an object with "type" and "value"`)
	}
	return typed(own, inner)
}

var errNoType = errors.New("the type of the dynamic value is invalid")

// typed returns data with its type, which is decoded from JSON.
func typed(own, data any) (any, error) {
	ty, err := values.TypeOf(own)
	if err != nil {
		return nil, errNoType
	}
	return ctydata.TypedData{Type: ty, Data: data}, nil
}

// unknownData is the MessagePack encoding of an unknown value with its refinements.
type unknownData []byte

var errRefinements = errors.New("the refinements of the unknown value are invalid")

// value returns an unknown value with its refinements. With some refinements, cty returns a known
// value.
func (u unknownData) value(ty cty.Type) (v cty.Value, err error) {
	if len(u) == len("\xd4\x00\x00") { // without refinements, as cty encodes it
		return cty.UnknownVal(ty), nil
	}
	defer func() {
		if recover() != nil { // cty panics if refinements contradict one another
			v, err = cty.NilVal, errRefinements
		}
	}()
	if ty.IsListType() && promisesElements(u) {
		return cty.NilVal, errRefinements
	}
	v, err = ctymsgpack.Unmarshal(u, ty)
	if err != nil || v.Type().TestConformance(ty) != nil || farOutRange(v) {
		return cty.NilVal, errRefinements
	}
	// cty distinguishes an unknown value with empty refinements from one without refinements, but
	// encodes both the same way. Return the one without refinements.
	if again, err := ctymsgpack.Marshal(v, ty); err == nil && len(again) == 3 && !v.IsKnown() {
		return cty.UnknownVal(ty), nil
	}
	return v, nil
}

// promisesElements reports whether the refinements promise a list of one length above maxAhead. cty
// would allocate that list. The encoder of cty never sends such refinements, because it sends the
// list. A set is read here, because cty keeps the bounds of its length.
func promisesElements(raw []byte) bool {
	set, err := ctymsgpack.Unmarshal(raw, cty.Set(cty.Bool))
	if err != nil || set.IsKnown() {
		return false
	}
	promised := set.Range()
	length := promised.LengthLowerBound()
	return promised.DefinitelyNotNull() && length > maxAhead && length == promised.LengthUpperBound()
}

// readMsgPack decodes MessagePack into data. Claimed lengths are checked against the remaining
// input before anything is allocated.
func readMsgPack(encoded []byte) (data any, err error) {
	defer values.Rescue(&data, &err) // the length of an extension can be negative on systems with 32 bits
	r := msgPackReader{input: bytes.NewReader(encoded)}
	r.dec = msgpack.NewDecoder(r.input) // not one of the pool, because DecodeRaw leaves data in it after an error
	data, err = r.read(0)
	at := len(encoded) - r.input.Len()
	if err != nil {
		return nil, fmt.Errorf("invalid MessagePack of a value, at byte %d: %w", at, err)
	}
	if r.input.Len() > 0 {
		return nil, fmt.Errorf("invalid MessagePack of a value: more data follows the value, from byte %d", at)
	}
	return data, nil
}

type msgPackReader struct {
	input *bytes.Reader
	dec   *msgpack.Decoder
}

// maxAhead is the maximal number of elements to allocate before they are read, or without reading
// them.
const maxAhead = 64

var errTruncated = errors.New("it ends too early")

func (r *msgPackReader) read(depth int) (any, error) {
	if depth > 2*carry.MaxDepth { // dynamic values take two levels each
		return nil, carry.ErrDepth
	}
	code, err := r.dec.PeekCode()
	switch {
	case err != nil:
		return nil, errTruncated
	case msgpcode.IsExt(code):
		// Every extension code means an unknown value. The refinements stay encoded until the type is known.
		raw, err := r.dec.DecodeRaw()
		if err != nil {
			return nil, errTruncated
		}
		return unknownData(raw), nil
	case msgpcode.IsFixedArray(code) || code == msgpcode.Array16 || code == msgpcode.Array32:
		return r.readArray(depth)
	case msgpcode.IsFixedMap(code) || code == msgpcode.Map16 || code == msgpcode.Map32:
		return r.readMap(depth)
	case code == 0xc1: // the only code that MessagePack does not define
		return nil, fmt.Errorf("unknown code %#x", code)
	}
	return r.readScalar()
}

func (r *msgPackReader) readScalar() (any, error) {
	data, err := r.dec.DecodeInterfaceLoose()
	if err != nil { // its text may contain input
		return nil, errTruncated
	}
	switch n := data.(type) {
	case int64:
		return new(big.Float).SetInt64(n), nil
	case uint64:
		return new(big.Float).SetUint64(n), nil
	case float64:
		if math.IsNaN(n) {
			return nil, errors.New("NaN is not supported")
		}
		return new(big.Float).SetFloat64(n), nil
	}
	return data, nil
}

func (r *msgPackReader) readArray(depth int) (any, error) {
	n, err := r.dec.DecodeArrayLen()
	if err != nil || n > r.input.Len() {
		return nil, errTruncated
	}
	elems := make([]any, 0, min(n, maxAhead))
	for range n {
		elem, err := r.read(depth + 1)
		if err != nil {
			return nil, err
		}
		elems = append(elems, elem)
	}
	return elems, nil
}

func (r *msgPackReader) readMap(depth int) (any, error) {
	n, err := r.dec.DecodeMapLen()
	if err != nil || n > r.input.Len()/2 {
		return nil, errTruncated
	}
	entries := make(map[string]any, min(n, maxAhead))
	for range n {
		code, err := r.dec.PeekCode()
		if err != nil {
			return nil, errTruncated
		}
		if !msgpcode.IsString(code) && !msgpcode.IsBin(code) {
			return nil, errors.New("a key is not a string")
		}
		key, err := r.dec.DecodeString()
		if err != nil {
			return nil, errTruncated
		}
		before := len(entries)
		if entries[key], err = r.read(depth + 1); err != nil {
			return nil, err
		}
		if len(entries) == before {
			return nil, errors.New("duplicate key")
		}
	}
	return entries, nil
}

// readJSON decodes JSON into data. Like Core, it reads U+FFFD for bytes that are not UTF-8.
func readJSON(text []byte) (data any, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err = dec.Decode(&data); err != nil { // its text may contain a character of the input
		return nil, fmt.Errorf("invalid JSON of a value: malformed after byte %d", dec.InputOffset())
	}
	if _, err = dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("invalid JSON of a value: more data follows the value, from byte %d", dec.InputOffset())
	}
	return data, nil
}
