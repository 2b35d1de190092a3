package tfcheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
	"github.com/zclconf/go-cty/cty"
)

// ErrMalformed is what errors of Decode5 and Decode6 match, by errors.Is, for
// input that is not MessagePack or JSON of any value. Their other errors are of
// data that is not of the type.
var ErrMalformed = errors.New("malformed MessagePack or JSON")

// A malformedError is an error that matches ErrMalformed.
type malformedError struct{ error }

func (e malformedError) Is(target error) bool { return target == ErrMalformed }
func (e malformedError) Unwrap() error        { return e.error }

// An encoded is the DynamicValue of either protocol, which converts to it.
type encoded struct{ MsgPack, JSON []byte }

// decode makes a value of the type, null of nothing.
func (e *encoded) decode(ty cty.Type) (cty.Value, error) {
	if ty == cty.NilType {
		return cty.NilVal, errors.New("the type is the zero cty.Type")
	}
	if e == nil {
		e = &encoded{}
	}
	return decodeImplied(e.MsgPack, e.JSON, ty.WithoutOptionalAttributesDeep(), nil)
}

// decodeImplied is decode for a type that a schema implies, which has no
// optional attributes, with the names of its attributes if they are known.
func decodeImplied(msgPack, text []byte, ty cty.Type, names []string) (v cty.Value, err error) {
	defer rescue(&v, &err)
	var data any
	b := builder{format: fromMsgPack}
	switch {
	case len(msgPack) > 0:
		data, err = readMsgPack(msgPack)
	case len(text) > 0:
		b.format = fromJSON
		data, err = readJSON(text)
	}
	if err != nil {
		return cty.NilVal, malformedError{err}
	}
	return b.result(b.valueWith(ty, names, data))
}

// rescue makes an error of a panic of cty or of a method of the data. What was
// panicked with may hold values, so it is not told.
func rescue[V any](v *V, err *error) {
	if recover() != nil {
		var none V
		*v, *err = none, errors.New("the value cannot be used: working with it panics")
	}
}

// readMsgPack reads MessagePack into data. It looks before it leaps: lengths
// that the input only claims to have would cost more memory than there is.
func readMsgPack(encoded []byte) (any, error) {
	r := msgPackReader{input: bytes.NewReader(encoded)}
	r.dec = msgpack.GetDecoder()
	defer msgpack.PutDecoder(r.dec)
	r.dec.Reset(r.input)
	data, err := r.read(0)
	at := len(encoded) - r.input.Len()
	if err != nil {
		return nil, fmt.Errorf("not MessagePack of a value, at byte %d: %w", at, err)
	}
	if r.input.Len() > 0 {
		return nil, fmt.Errorf("not MessagePack of a value: %d bytes follow it, from byte %d", r.input.Len(), at)
	}
	return data, nil
}

type msgPackReader struct {
	input *bytes.Reader
	dec   *msgpack.Decoder
}

// maxAhead is for how many elements to make room before they are read.
const maxAhead = 64

var errTruncated = errors.New("it ends too early")

func (r *msgPackReader) read(depth int) (any, error) {
	if depth > 2*maxDepth { // dynamic values take two levels each
		return nil, errDepth
	}
	code, err := r.dec.PeekCode()
	switch {
	case err != nil:
		return nil, errTruncated
	case code == msgpcode.Nil:
		return nil, r.dec.DecodeNil()
	case code == msgpcode.True || code == msgpcode.False:
		return r.dec.DecodeBool()
	case msgpcode.IsExt(code):
		return r.readUnknown()
	case msgpcode.IsString(code) || msgpcode.IsBin(code):
		text, err := r.dec.DecodeString()
		return text, short(err)
	case msgpcode.IsFixedArray(code) || code == msgpcode.Array16 || code == msgpcode.Array32:
		return r.readArray(depth)
	case msgpcode.IsFixedMap(code) || code == msgpcode.Map16 || code == msgpcode.Map32:
		return r.readMap(depth)
	}
	return r.readNumber(code)
}

// short returns an error that does not show input.
func short(err error) error {
	if err != nil {
		return errTruncated
	}
	return nil
}

func (r *msgPackReader) readNumber(code byte) (any, error) {
	switch code {
	case msgpcode.Uint8, msgpcode.Uint16, msgpcode.Uint32, msgpcode.Uint64:
		n, err := r.dec.DecodeUint64()
		return new(big.Float).SetUint64(n), short(err)
	case msgpcode.Int8, msgpcode.Int16, msgpcode.Int32, msgpcode.Int64:
		n, err := r.dec.DecodeInt64()
		return new(big.Float).SetInt64(n), short(err)
	case msgpcode.Float, msgpcode.Double:
		n, err := r.dec.DecodeFloat64()
		if math.IsNaN(n) {
			return nil, errors.New("NaN is no number")
		}
		return new(big.Float).SetFloat64(n), short(err)
	}
	if msgpcode.IsFixedNum(code) {
		n, err := r.dec.DecodeInt64()
		return new(big.Float).SetInt64(n), short(err)
	}
	return nil, fmt.Errorf("there is no code %#x", code)
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
			return nil, errors.New("a key is no string")
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
			return nil, errors.New("a key is there twice")
		}
	}
	return entries, nil
}

// readUnknown reads an extension, which is an unknown value whatever its code.
// Its refinements are kept as they are, until the type is known.
func (r *msgPackReader) readUnknown() (any, error) {
	start := r.input.Size() - int64(r.input.Len())
	_, n, err := r.dec.DecodeExtHeader()
	if err != nil || n < 0 || n > r.input.Len() {
		return nil, errTruncated
	}
	if n <= 1 { // no refinements
		_, err := r.input.Seek(int64(n), io.SeekCurrent)
		return unknown{}, err
	}
	end := r.input.Size() - int64(r.input.Len()) + int64(n)
	raw := make([]byte, end-start)
	if _, err := r.input.ReadAt(raw, start); err != nil {
		return nil, errTruncated
	}
	_, err = r.input.Seek(end, io.SeekStart)
	return unknown{raw}, err
}

// readJSON reads JSON into data. Like Core, it reads U+FFFD for what is not UTF-8.
func readJSON(text []byte) (data any, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err = dec.Decode(&data); err != nil { // whose text may show a character
		return nil, fmt.Errorf("not JSON of a value: it is malformed after byte %d", dec.InputOffset())
	}
	if _, err = dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("not JSON of a value: something follows it, from byte %d", dec.InputOffset())
	}
	return data, nil
}
