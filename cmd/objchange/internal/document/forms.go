package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/zclconf/go-cty/cty"
)

// The keys of objects that stand for something that JSON does not have. Such an
// object has one of them and nothing else.
const (
	keyUnknown   = "$unknown"   // true, or what is promised of the value
	keySensitive = "$sensitive" // the value
	keyBytes     = "$bytes"     // the base64 of a string
	keyLiteral   = "$literal"   // the object whose keys are taken as they are
)

var formKeys = []string{keyUnknown, keySensitive, keyBytes, keyLiteral}

// form returns the key of such an object, "" if it is an ordinary one. Another
// key that begins with $ is an error, since it may be one of them that is
// misspelt. It is not shown, since it may be anything.
func form(data map[string]any) (key string, err error) {
	for k := range data {
		if strings.HasPrefix(k, "$") && !strings.HasPrefix(k, bytesPrefix) && !slices.Contains(formKeys, k) {
			return "", fmt.Errorf(`a key that begins with $ is none of %s%s; an object that is meant to have such a key is {"%s": {...}}`,
				strings.Join(formKeys, ", "), meant(data), keyLiteral)
		}
	}
	for _, k := range formKeys {
		if _, ok := data[k]; ok {
			key = k
		}
	}
	if key != "" && len(data) > 1 {
		return "", fmt.Errorf(`an object with the key %s must have nothing else; one that is meant to have such a key is {"%s": {...}}`, key, keyLiteral)
	}
	return key, nil
}

// meant returns a question for the key of a form that is misspelt, or "".
func meant(data map[string]any) string {
	for _, key := range formKeys {
		for k := range data {
			if k != key && strings.HasPrefix(k, "$") && levenshtein.Distance(strings.ToLower(k), key, nil) <= 2 {
				return fmt.Sprintf("; did you mean %q?", key)
			}
		}
	}
	return ""
}

// A plainer makes the data that objchange.DataFormat takes of a document's. It
// remembers what is in $sensitive: marks where, and secrets that there is any.
type plainer struct {
	marks   *marks
	way     []step
	secrets bool
	forget  bool // takes what is in $sensitive for null
}

// secret is data in $sensitive.
type secret struct{ data any }

// open opens what is secret, and reads what is not read yet.
func (p *plainer) open(_ cty.Type, data any) (any, error) {
	for {
		switch part := data.(type) {
		case secret:
			if data = part.data; p.forget {
				data = nil
			}
		case *raw:
			data = p.read(part)
		default:
			return data, nil
		}
	}
}

// plain makes plain data of a document's, in place.
func (p *plainer) plain(data any) any {
	switch data := data.(type) {
	case []any:
		for i := range data {
			data[i] = p.at(step{index: i}, data[i])
		}
	case map[string]any:
		return p.object(data)
	case nil:
		return null{}
	}
	return data
}

// at makes plain data of a part.
func (p *plainer) at(s step, part any) any {
	p.way = append(p.way, s)
	part = p.plain(part)
	p.way = p.way[:len(p.way)-1]
	return part
}

func (p *plainer) object(data map[string]any) any {
	key, err := form(data)
	switch {
	case err != nil:
		return wrong{err}
	case key == keyUnknown:
		return unknown{data[key]}
	case key == keySensitive:
		p.marks.add(p.way)
		p.secrets = true
		return secret{p.plain(data[key])}
	case key == keyBytes:
		s, err := bytesOf(data[key])
		if err != nil {
			return wrong{err}
		}
		return cty.StringVal(s)
	case key == keyLiteral:
		literal, ok := data[key].(map[string]any)
		if !ok {
			return wrong{errors.New(keyLiteral + " must be an object")}
		}
		data = literal
	default:
		if data, err = decodeKeys(data); err != nil {
			return wrong{err}
		}
	}
	for name, part := range data {
		data[name] = p.at(step{name: cty.NormalizeString(name)}, part)
	}
	return data
}

// wrong is data that makes no value: a objchange.Valuer, which is told where.
type wrong struct{ err error }

// CtyValue returns the error.
func (w wrong) CtyValue(cty.Type) (cty.Value, error) { return cty.NilVal, w.err }

// null is the data of null: a objchange.Valuer. Without it, blocks that are null
// would be empty.
type null struct{}

// CtyValue returns the null of the type.
func (null) CtyValue(ty cty.Type) (cty.Value, error) { return cty.NullVal(ty), nil }

// unknown is the data of an unknown value: a objchange.Valuer.
type unknown struct{ promises any }

// promises are what $unknown may say.
type promises struct {
	NotNull   bool        `json:"not_null,omitempty"`
	Prefix    *byteString `json:"prefix,omitempty"`
	MinLength *int        `json:"min_length,omitempty"`
	MaxLength *int        `json:"max_length,omitempty"`
}

// CtyValue returns the unknown value of the type.
func (u unknown) CtyValue(ty cty.Type) (cty.Value, error) {
	p, err := u.read()
	if err != nil {
		return cty.NilVal, err
	}
	collection := ty.IsCollectionType()
	switch {
	case p == promises{}:
		return cty.UnknownVal(ty), nil
	case ty == cty.DynamicPseudoType:
		return cty.NilVal, fmt.Errorf("%s can promise nothing where the type is not known", keyUnknown)
	case p.Prefix != nil && ty != cty.String:
		return cty.NilVal, fmt.Errorf("%s can promise a prefix of a string only", keyUnknown)
	case !collection && (p.MinLength != nil || p.MaxLength != nil):
		return cty.NilVal, fmt.Errorf("%s can promise a length of a list, set or map only", keyUnknown)
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
	return b.NewValue(), nil
}

// read reads the promises, whose names are the same for all types.
func (u unknown) read() (p promises, err error) {
	if u.promises == true {
		return p, nil
	}
	data, ok := u.promises.(map[string]any)
	text, err := json.Marshal(data)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	for name, value := range data {
		ok = ok && value != nil && slices.Contains([]string{"not_null", "prefix", "min_length", "max_length"}, name)
	}
	notNull, given := data["not_null"]
	switch {
	case !ok || err != nil || given && notNull != true:
		return p, fmt.Errorf(`%s must be true, or an object with any of "not_null": true, "prefix", "min_length" and "max_length"`, keyUnknown)
	case p.MinLength != nil && *p.MinLength < 0 || p.MaxLength != nil && *p.MaxLength < 0:
		return p, fmt.Errorf("%s has a length below zero", keyUnknown)
	case p.MinLength != nil && p.MaxLength != nil && *p.MinLength > *p.MaxLength:
		return p, fmt.Errorf("%s has a min_length above its max_length", keyUnknown)
	}
	return p, nil
}
