package document

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/placeholder"
)

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
				return nil, fmt.Errorf("%s is for places of any type, and this one has a type", placeholder.KeyTyped)
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
		return placeholder.Null{}
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
	key, err := placeholder.Form(data)
	switch {
	case err != nil:
		return placeholder.Wrong{Err: err}
	case key == placeholder.KeyUnknown:
		return placeholder.Unknown{Promises: data[key]}
	case key == placeholder.KeySensitive:
		p.marks.add(p.way)
		p.secrets = true
		return secret{p.plain(data[key])}
	case key == placeholder.KeyBytes:
		s, err := placeholder.BytesOf(data[key])
		if err != nil {
			return placeholder.Wrong{Err: err}
		}
		return cty.StringVal(s)
	case key == placeholder.KeyTyped:
		return placeholder.Typed(data[key], p.plain)
	case key == placeholder.KeyLiteral:
		literal, ok := data[key].(map[string]any)
		if !ok {
			return placeholder.Wrong{Err: errors.New(placeholder.KeyLiteral + " must be an object")}
		}
		data = literal
	default:
		if data, err = placeholder.DecodeKeys(data); err != nil {
			return placeholder.Wrong{Err: err}
		}
	}
	for name, part := range data {
		data[name] = p.at(step{name: cty.NormalizeString(name)}, part)
	}
	return data
}
