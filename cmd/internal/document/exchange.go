package document

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/tfcheck"
)

// These are the reasons why a document lacks a part of an exchange, or cannot have it at all.
const (
	refused  = "the provider returned an error"
	deferred = "the response is deferred"
)

// ErrNotDecoded is the error if a value of an exchange is missing, or if there is no schema to
// decode it.
var ErrNotDecoded = errors.New("a value cannot be decoded")

// A packedValue is a value of an exchange with its field in a document.
type packedValue struct {
	value cty.Value
	to    *jsontext.Value
}

// A Packer makes documents from exchanges. It caches the JSON of their schemas.
type Packer struct {
	schemas map[*configschema.Block]jsontext.Value
}

// Document returns the document for an exchange as one line of JSON. It does not hide sensitive
// values. The note says which part of the exchange the document lacks, or is "". The error says why
// the exchange has no document.
func (p *Packer) Document(name string, x tfcheck.Exchange) (text []byte, note string, err error) {
	d := fields{Name: name, LegacyTypeSystem: x.Legacy}
	parts, note, err := d.parts(x)
	if err != nil {
		return nil, "", err
	}
	if x.Schema == nil {
		return nil, "", ErrNotDecoded
	}
	if d.Schema, err = p.schema(x.Schema.Block()); err != nil {
		return nil, "", err
	}
	for _, part := range parts {
		if part.value == cty.NilVal {
			return nil, "", ErrNotDecoded
		}
		text, err := placeholder.Encode(x.Schema.Block(), part.value)
		if err != nil {
			return nil, "", err
		}
		*part.to = jsontext.Value(text)
	}
	if x.RPC == "PlanResourceChange" && d.InitialPlanned != nil {
		for _, path := range x.RequiresReplace {
			d.RequiresReplace = append(d.RequiresReplace, stepsOf(path))
		}
	}
	text, err = words.JSON(d, "")
	return text, note, err
}

// parts returns the values of an exchange for its document, and a note about values that the
// document lacks.
func (d *fields) parts(x tfcheck.Exchange) (parts []packedValue, note string, err error) {
	missing := "" // why there is no response
	if x.Failed {
		missing = refused
	} else if x.Deferred {
		missing = deferred
	}
	response := func(to *jsontext.Value) packedValue { return packedValue{x.Response, to} }
	switch x.RPC {
	case "PlanResourceChange":
		parts = []packedValue{{x.Prior, &d.Prior}, {x.Config, &d.Config}, {x.Proposed, &d.Proposed}}
		if missing != "" {
			return parts, missing + ", so there is no plan", nil
		}
		return append(parts, response(&d.InitialPlanned)), "", nil
	case "ApplyResourceChange":
		parts = []packedValue{{x.Prior, &d.Prior}, {x.Config, &d.FinalConfig}}
		if x.Failed && x.Response != cty.NilVal {
			note = refused + ", so the new state may differ from the plan, and the document omits the plan"
			return append(parts, response(&d.New)), note, nil
		}
		parts = append(parts, packedValue{x.Planned, &d.FinalPlanned})
		if x.Failed {
			return parts, refused + ", so there is no new state", nil
		}
		return append(parts, response(&d.New)), "", nil
	case "ReadResource":
		parts = []packedValue{response(&d.Prior)}
	case "UpgradeResourceState", "MoveResourceState":
		parts = []packedValue{response(&d.Upgraded)}
	case "ImportResourceState":
		parts = []packedValue{response(&d.Imported)}
	default:
		return nil, "", fmt.Errorf("documents do not support %s", x.RPC)
	}
	if missing != "" {
		return nil, "", errors.New(missing)
	}
	return parts, "", nil
}

// stepsOf returns a path in the format of documents.
func stepsOf(path cty.Path) []any {
	steps := []any{}
	for _, s := range path {
		switch s := s.(type) {
		case cty.GetAttrStep:
			steps = append(steps, placeholder.StringData(s.Name))
		case cty.IndexStep:
			if s.Key.Type() == cty.Number {
				steps = append(steps, placeholder.NumberText(s.Key.AsBigFloat()))
			} else {
				steps = append(steps, placeholder.StringData(s.Key.AsString()))
			}
		}
	}
	return steps
}

// schema returns the JSON of a schema, and caches it. It omits descriptions and deprecation messages, which
// may be many times the rest.
func (p *Packer) schema(schema *configschema.Block) (jsontext.Value, error) {
	if text, ok := p.schemas[schema]; ok {
		return text, nil
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	block := jsonpos.Data(text)
	bare(block)
	if p.schemas == nil {
		p.schemas = map[*configschema.Block]jsontext.Value{}
	}
	p.schemas[schema], err = json.Marshal(block)
	return p.schemas[schema], err
}

// bare removes descriptions and deprecation messages from a schema. An attribute or block with the
// name of such a field is not a string, and stays.
func bare(data any) {
	object, _ := data.(map[string]any)
	for name, part := range object {
		_, isText := part.(string)
		switch name {
		case "description", "description_kind", "deprecation_message":
			if isText {
				delete(object, name)
			}
		}
		bare(part)
	}
}
