package document

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
)

// The keys of objects that stand for something that JSON does not have. Such an
// object has one of them and nothing else.
const (
	keyUnknown   = "$unknown"   // true, or what is promised of the value
	keySensitive = "$sensitive" // the value
	keyBytes     = "$bytes"     // the base64 of a string
	keyLiteral   = "$literal"   // the object whose keys are taken as they are
	keyTyped     = "$typed"     // a type and the value, where any type may be
)

var formKeys = []string{keyUnknown, keySensitive, keyBytes, keyLiteral, keyTyped}

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

// A plainer makes the data that ctydata.Format takes of a document's. It
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
func (p *plainer) open(ty cty.Type, data any) (any, error) {
	for {
		switch part := data.(type) {
		case ctydata.Typed:
			if ty != cty.DynamicPseudoType {
				return nil, fmt.Errorf("%s is for places of any type, and this one has a type", keyTyped)
			}
			return part, nil
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
	case key == keyTyped:
		return p.typed(data[key])
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

// wrong is a ctydata.Valuer that always returns an error. ctydata adds the place.
type wrong struct{ err error }

// CtyValue returns the error.
func (w wrong) CtyValue(cty.Type) (cty.Value, error) { return cty.NilVal, w.err }

// null is the data of null: a ctydata.Valuer. Without it, blocks that are null
// would be empty.
type null struct{}

// CtyValue returns the null of the type.
func (null) CtyValue(ty cty.Type) (cty.Value, error) { return cty.NullVal(ty), nil }
