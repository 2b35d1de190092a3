package placeholder

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/values"
)

// Unknown is the data of an unknown value. It is a ctydata.Valuer.
type Unknown struct{ Refinements any }

// refinements are the refinements that $unknown can contain.
type refinements struct {
	NotNull   bool         `json:"not_null,omitempty"`
	Prefix    *byteString  `json:"prefix,omitempty"`
	MinLength *int         `json:"min_length,omitempty"`
	MaxLength *int         `json:"max_length,omitempty"`
	Min       *json.Number `json:"minimum,omitempty"`
	MinOpen   *json.Number `json:"exclusive_minimum,omitempty"`
	Max       *json.Number `json:"maximum,omitempty"`
	MaxOpen   *json.Number `json:"exclusive_maximum,omitempty"`
}

// refinementNames are the names of all refinements. The value says whether the refinement is a
// number bound.
var refinementNames = map[string]bool{
	"not_null": false, "prefix": false, "min_length": false, "max_length": false,
	"minimum": true, "exclusive_minimum": true, "maximum": true, "exclusive_maximum": true,
}

// CtyValue returns the unknown value of the type.
func (u Unknown) CtyValue(ty cty.Type) (cty.Value, error) {
	p, err := u.read()
	if err != nil {
		return cty.NilVal, err
	}
	switch {
	case p == refinements{}:
		return cty.UnknownVal(ty), nil
	case ty == cty.DynamicPseudoType:
		return cty.NilVal, fmt.Errorf("%s cannot have refinements where the type is dynamic", KeyUnknown)
	case p.Prefix != nil && ty != cty.String:
		return cty.NilVal, fmt.Errorf("%s can have a prefix only for a string", KeyUnknown)
	case !ty.IsCollectionType() && (p.MinLength != nil || p.MaxLength != nil):
		return cty.NilVal, fmt.Errorf("%s can have a length only for a list, set or map", KeyUnknown)
	case ty.IsListType() && p.promisesElements():
		return cty.NilVal, fmt.Errorf("%s can promise at most %d elements", KeyUnknown, values.MaxUnknownElements)
	case ty != cty.Number && (p.Min != nil || p.MinOpen != nil || p.Max != nil || p.MaxOpen != nil):
		return cty.NilVal, fmt.Errorf("%s can have a minimum or maximum only for a number", KeyUnknown)
	}
	b := cty.UnknownVal(ty).Refine()
	if p.NotNull {
		b = b.NotNull()
	}
	if p.Prefix != nil {
		b = b.StringPrefixFull(string(*p.Prefix))
	}
	if p.MinLength != nil {
		b = b.CollectionLengthLowerBound(*p.MinLength)
	}
	if p.MaxLength != nil {
		b = b.CollectionLengthUpperBound(*p.MaxLength)
	}
	return p.between(b)
}

// promisesElements reports whether cty would allocate too many unknown elements for a list with the
// refinements, because they promise its length.
func (p refinements) promisesElements() bool {
	promises := p.NotNull && p.MinLength != nil && p.MaxLength != nil && *p.MinLength == *p.MaxLength
	return promises && *p.MinLength > values.MaxUnknownElements
}

// between returns the value with the bounds of a number. The range must contain a number.
func (p refinements) between(b *cty.RefinementBuilder) (cty.Value, error) {
	low, err := bound("minimum", p.Min, p.MinOpen)
	if err != nil {
		return cty.NilVal, err
	}
	high, err := bound("maximum", p.Max, p.MaxOpen)
	if err != nil {
		return cty.NilVal, err
	}
	if low != cty.NilVal && high != cty.NilVal {
		open := p.MinOpen != nil || p.MaxOpen != nil
		if order := low.AsBigFloat().Cmp(high.AsBigFloat()); order > 0 || order == 0 && open {
			return cty.NilVal, fmt.Errorf("%s has a minimum above its maximum", KeyUnknown)
		}
	}
	if low != cty.NilVal {
		b.NumberRangeLowerBound(low, p.MinOpen == nil)
	}
	if high != cty.NilVal {
		b.NumberRangeUpperBound(high, p.MaxOpen == nil)
	}
	return b.NewValue(), nil
}

// bound returns the number of a bound, or cty.NilVal if the bound is absent.
func bound(name string, closed, open *json.Number) (v cty.Value, err error) {
	switch {
	case closed != nil && open != nil:
		err = errors.New("the bound is set twice, once exclusive")
	case closed != nil:
		v, err = ctydata.Format{}.ValueOfType(cty.Number, *closed)
	case open != nil:
		v, err = ctydata.Format{}.ValueOfType(cty.Number, *open)
	}
	if err != nil {
		return cty.NilVal, fmt.Errorf("%s: %s: %w", KeyUnknown, name, err)
	}
	return v, nil
}

// read decodes the refinements. Their names are the same for all types.
func (u Unknown) read() (p refinements, err error) {
	if u.Refinements == true {
		return p, nil
	}
	data, ok := u.Refinements.(map[string]any)
	text, err := json.Marshal(data)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	for name, value := range data {
		ofNumber, known := refinementNames[name]
		_, isNumber := value.(json.Number)
		ok = ok && known && value != nil && (isNumber || !ofNumber)
	}
	notNull, given := data["not_null"]
	switch {
	case !ok || err != nil || given && notNull != true:
		return p, fmt.Errorf(`%s must be true, or an object with any of "not_null": true, "prefix", "min_length", `+
			`"max_length", "minimum", "exclusive_minimum", "maximum" and "exclusive_maximum", `+
			`lengths and bounds as numbers`, KeyUnknown)
	case p.MinLength != nil && *p.MinLength < 0 || p.MaxLength != nil && *p.MaxLength < 0:
		return p, fmt.Errorf("%s has a length below zero", KeyUnknown)
	case p.MinLength != nil && p.MaxLength != nil && *p.MinLength > *p.MaxLength:
		return p, fmt.Errorf("%s has a min_length above its max_length", KeyUnknown)
	}
	return p, nil
}

// UnknownData returns the data of $unknown for an unknown value.
func UnknownData(v cty.Value) any {
	if v.Type() == cty.DynamicPseudoType {
		return true
	}
	r := v.Range()
	p := refinements{NotNull: r.DefinitelyNotNull()}
	switch ty := v.Type(); {
	case ty == cty.String && r.StringPrefix() != "":
		prefix := byteString(r.StringPrefix())
		p.Prefix = &prefix
	case ty == cty.Number:
		low, closed := r.NumberLowerBound()
		p.Min, p.MinOpen = refinedBound(low, closed)
		high, closed := r.NumberUpperBound()
		p.Max, p.MaxOpen = refinedBound(high, closed)
	case ty.IsCollectionType():
		low, high := r.LengthLowerBound(), r.LengthUpperBound()
		if low > 0 {
			p.MinLength = &low
		}
		if high < math.MaxInt {
			p.MaxLength = &high
		}
	}
	if p == (refinements{}) {
		return true
	}
	return p
}

// refinedBound returns the bound as a closed or an open bound, or no bound.
func refinedBound(v cty.Value, inclusive bool) (closed, open *json.Number) {
	if !v.IsKnown() || v.AsBigFloat().IsInf() {
		return nil, nil
	}
	text := NumberText(v.AsBigFloat())
	if inclusive {
		return &text, nil
	}
	return nil, &text
}

// NumberText returns the shortest decimal that decodes to the same number, or all digits if there
// is no such decimal. cty considers numbers equal if they print alike.
func NumberText(f *big.Float) json.Number {
	text := f.Text('f', -1)
	if read, err := cty.ParseNumberVal(text); err == nil && !read.RawEquals(cty.NumberVal(f)) {
		text = f.Text('f', max(int(f.MinPrec())-f.MantExp(nil), 0))
	}
	return json.Number(text)
}
