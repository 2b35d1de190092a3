package configschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/internal/values"
)

// maxJSONLevels limits the nesting depth of blocks and nested attributes in JSON.
const maxJSONLevels = 2 * maxDepth

// MarshalJSON returns the block as `terraform providers schema -json` writes it. Equal blocks
// have equal JSON. A nil *Block is null.
//
// It returns an error for a nil attribute or block type, an attribute with neither or both of
// Type and NestedType, a capsule type, a type with a part that is the zero cty.Type, an unknown
// nesting mode or description kind, and a schema that is too large or has a cycle. The error
// names the attribute or block type. MarshalJSON ignores other problems of [Block.Validate].
func (b Block) MarshalJSON() ([]byte, error) { return marshal(&b, (*Block).json) }

// UnmarshalJSON reads a block as `terraform providers schema -json` writes it. It ignores
// unknown fields. A null field is an absent field. If the whole input is null, b does not
// change.
//
// It returns an error for a missing field, an unknown type, nesting mode or description kind,
// and a schema that is too large. The error names the attribute or block type. For a value of
// the wrong JSON type, the error gives the byte offset instead. UnmarshalJSON does not validate
// the schema: see [Block.Validate].
func (b *Block) UnmarshalJSON(text []byte) error { return unmarshal(text, b, (*blockJSON).schema) }

// MarshalJSON returns the JSON of the attribute, like [Block.MarshalJSON].
func (a Attribute) MarshalJSON() ([]byte, error) { return marshal(&a, (*Attribute).json) }

// UnmarshalJSON reads an attribute, like [Block.UnmarshalJSON].
func (a *Attribute) UnmarshalJSON(text []byte) error {
	return unmarshal(text, a, (*attributeJSON).schema)
}

// MarshalJSON returns the JSON of a block type, like [Block.MarshalJSON].
func (nb NestedBlock) MarshalJSON() ([]byte, error) { return marshal(&nb, (*NestedBlock).json) }

// UnmarshalJSON reads a block type, like [Block.UnmarshalJSON].
func (nb *NestedBlock) UnmarshalJSON(text []byte) error {
	return unmarshal(text, nb, (*nestedBlockJSON).schema)
}

type blockJSON struct {
	Attributes         map[string]*attributeJSON   `json:"attributes,omitempty"`
	BlockTypes         map[string]*nestedBlockJSON `json:"block_types,omitempty"`
	Description        string                      `json:"description,omitempty"`
	DescriptionKind    string                      `json:"description_kind"`
	Deprecated         bool                        `json:"deprecated,omitempty"`
	DeprecationMessage string                      `json:"deprecation_message,omitempty"`
	Computed           bool                        `json:"computed,omitempty"`
}

func (b *Block) json(s *size) (*blockJSON, error) {
	attributes, err1 := parts(s, "attribute", b.Attributes, (*Attribute).json)
	blockTypes, err2 := parts(s, "block type", b.BlockTypes, (*NestedBlock).json)
	kind, err3 := b.DescriptionKind.MarshalText()
	return &blockJSON{
		attributes, blockTypes, b.Description, string(kind), b.Deprecated, b.DeprecationMessage, b.Computed,
	}, cmp.Or(err1, err2, err3)
}

func (j *blockJSON) schema(s *size) (*Block, error) {
	attributes, err1 := parts(s, "attribute", j.Attributes, (*attributeJSON).schema)
	blockTypes, err2 := parts(s, "block type", j.BlockTypes, (*nestedBlockJSON).schema)
	kind, err3 := readKind(j.DescriptionKind)
	return &Block{
		attributes, blockTypes, j.Description, kind, j.Deprecated, j.DeprecationMessage, j.Computed,
	}, cmp.Or(err1, err2, err3)
}

type attributeJSON struct {
	Type               json.RawMessage `json:"type,omitempty"`
	NestedType         *objectJSON     `json:"nested_type,omitempty"`
	Description        string          `json:"description,omitempty"`
	DescriptionKind    string          `json:"description_kind"`
	Deprecated         bool            `json:"deprecated,omitempty"`
	DeprecationMessage string          `json:"deprecation_message,omitempty"`
	Required           bool            `json:"required,omitempty"`
	Optional           bool            `json:"optional,omitempty"`
	Computed           bool            `json:"computed,omitempty"`
	Sensitive          bool            `json:"sensitive,omitempty"`
	WriteOnly          bool            `json:"write_only,omitempty"`
}

func (a *Attribute) json(s *size) (*attributeJSON, error) {
	ty, err1 := typeJSON(a.Type)
	nested, err2 := optional(s, a.NestedType, (*Object).json)
	kind, err3 := a.DescriptionKind.MarshalText()
	return &attributeJSON{
		ty, nested, a.Description, string(kind), a.Deprecated, a.DeprecationMessage,
		a.Required, a.Optional, a.Computed, a.Sensitive, a.WriteOnly,
	}, cmp.Or(a.checkTypes(), err1, err2, err3)
}

func (j *attributeJSON) schema(s *size) (*Attribute, error) {
	ty, err1 := typeOfJSON(j.Type)
	nested, err2 := optional(s, j.NestedType, (*objectJSON).schema)
	kind, err3 := readKind(j.DescriptionKind)
	a := &Attribute{
		ty, nested, j.Required, j.Optional, j.Computed, j.Sensitive, j.WriteOnly,
		j.Description, kind, j.Deprecated, j.DeprecationMessage,
	}
	return a, cmp.Or(err1, err2, err3, a.checkTypes())
}

type objectJSON struct {
	Attributes map[string]*attributeJSON `json:"attributes,omitempty"`
	Nesting    string                    `json:"nesting_mode"`
}

func (o *Object) json(s *size) (*objectJSON, error) {
	attributes, err1 := parts(s, "attribute", o.Attributes, (*Attribute).json)
	mode, err2 := o.Nesting.MarshalText()
	return &objectJSON{attributes, string(mode)}, cmp.Or(err1, err2)
}

func (j *objectJSON) schema(s *size) (*Object, error) {
	attributes, err1 := parts(s, "attribute", j.Attributes, (*attributeJSON).schema)
	mode, err2 := readMode(j.Nesting)
	return &Object{attributes, mode}, cmp.Or(err1, err2)
}

type nestedBlockJSON struct {
	Nesting  string     `json:"nesting_mode"`
	Block    *blockJSON `json:"block"`
	MinItems int        `json:"min_items,omitempty"`
	MaxItems int        `json:"max_items,omitempty"`
}

func (nb *NestedBlock) json(s *size) (*nestedBlockJSON, error) {
	block, err1 := nb.Block.json(s)
	mode, err2 := nb.Nesting.MarshalText()
	return &nestedBlockJSON{string(mode), block, nb.MinItems, nb.MaxItems}, cmp.Or(err1, err2)
}

func (j *nestedBlockJSON) schema(s *size) (*NestedBlock, error) {
	if j.Block == nil {
		return nil, errors.New("block is missing")
	}
	block, err1 := j.Block.schema(s)
	mode, err2 := readMode(j.Nesting)
	return &NestedBlock{*block, mode, j.MinItems, j.MaxItems}, cmp.Or(err1, err2)
}

// typeJSON returns the JSON of a type, or nil for the zero cty.Type.
func typeJSON(ty cty.Type) (json.RawMessage, error) {
	if ty == cty.NilType {
		return nil, nil
	}
	return values.TypeJSON(ty)
}

// typeOfJSON returns the type, or the zero cty.Type if the JSON is absent or null.
func typeOfJSON(text json.RawMessage) (cty.Type, error) {
	if text == nil || string(text) == "null" {
		return cty.NilType, nil
	}
	return values.TypeOfJSON(text)
}

func readMode(name string) (m NestingMode, err error) {
	if name == "" {
		return m, errors.New("nesting_mode is missing")
	}
	err = m.UnmarshalText([]byte(name))
	return m, err
}

func readKind(name string) (k StringKind, err error) {
	if name != "" { // absent means plain
		err = k.UnmarshalText([]byte(name))
	}
	return k, err
}

// MarshalText returns the name of the kind, or an error if the kind is invalid.
func (k StringKind) MarshalText() ([]byte, error) {
	if !k.valid() {
		return nil, fmt.Errorf("invalid description kind %s", k)
	}
	return []byte(k.String()), nil
}

// UnmarshalText sets the kind by its name. It returns an error for an unknown name.
func (k *StringKind) UnmarshalText(text []byte) error {
	i := slices.Index(stringKinds[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown description kind %.60q", text)
	}
	*k = StringKind(i)
	return nil
}

// MarshalText returns the name of the mode, or an error if the mode is invalid.
func (m NestingMode) MarshalText() ([]byte, error) {
	if !m.valid() {
		return nil, fmt.Errorf("invalid nesting mode %s", m)
	}
	return []byte(m.String()), nil
}

// UnmarshalText sets the mode by its name. It returns an error for an unknown name.
func (m *NestingMode) UnmarshalText(text []byte) error {
	i := slices.Index(nestingModes[:], string(text))
	if i <= 0 {
		return fmt.Errorf("unknown nesting mode %.60q", text)
	}
	*m = NestingMode(i)
	return nil
}

// A size counts the converted parts. Its limits end cycles and bound the work for schemas that
// share nodes.
type size struct{ depth, fields int }

var errSize = fmt.Errorf("the schema is too large: nested deeper than %d levels, or more than %d attributes and blocks",
	maxJSONLevels, maxFields)

// parts converts parts of a schema from or to JSON. It returns nil if there are no parts. The
// error names the first part, in order of names, that cannot be converted.
func parts[From, To any](
	s *size, kind string, from map[string]*From, convert func(*From, *size) (*To, error),
) (map[string]*To, error) {
	if len(from) == 0 {
		return nil, nil
	}
	s.fields += len(from)
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxJSONLevels || s.fields > maxFields {
		return nil, errSize
	}
	to := make(map[string]*To, len(from))
	for _, name := range slices.Sorted(maps.Keys(from)) {
		err := errors.New("must not be null")
		if from[name] != nil {
			to[name], err = convert(from[name], s)
		}
		if err == errSize {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%s %.60q: %w", kind, name, err)
		}
	}
	return to, nil
}

// optional converts a part that may be nil.
func optional[From, To any](s *size, from *From, convert func(*From, *size) (*To, error)) (*To, error) {
	if from == nil {
		return nil, nil
	}
	return convert(from, s)
}

// marshal returns the JSON of a part of a schema.
func marshal[Part, JSON any](part *Part, convert func(*Part, *size) (*JSON, error)) ([]byte, error) {
	j, err := convert(part, new(size))
	if err != nil {
		return nil, err
	}
	return json.Marshal(j)
}

// unmarshal decodes the JSON into *part. It does nothing if the JSON is null.
func unmarshal[Part, JSON any](text []byte, part *Part, convert func(*JSON, *size) (*Part, error)) error {
	var j *JSON
	if err := json.Unmarshal(text, &j); err != nil || j == nil {
		return readable(err)
	}
	read, err := convert(j, new(size))
	if err == nil {
		*part = *read
	}
	return err
}

// readable rewrites an error of encoding/json without the names of Go types.
func readable(err error) error {
	switch err := err.(type) {
	case *json.SyntaxError:
		return fmt.Errorf("invalid JSON: %w, at byte %d", err, err.Offset)
	case *json.UnmarshalTypeError:
		return fmt.Errorf("%s has the wrong type %s, at byte %d", cmp.Or(err.Field, "the schema"), err.Value, err.Offset)
	}
	return err
}
