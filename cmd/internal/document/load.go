package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/files"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/jsonpos"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/internal/pointer"
)

// document returns the n-th document of a file from its JSON. The error is an *Error with all
// problems of the document.
func (r *Reader) document(place report.Place, n int, text jsontext.Value, at jsonpos.Position) (*Document, error) {
	place.Line = at.Line
	fields, where, reason := decode(text)
	name := cmp.Or(fields.Name, fmt.Sprintf("document %d", n))
	l := loader{reader: r, doc: &Document{Name: name, Place: place, text: text, at: at}}
	if reason != "" {
		l.fail(where, reason)
	} else {
		l.load(&fields)
	}
	if len(l.problems) > 0 {
		return nil, &Error{Name: l.doc.Name, Place: place, Reason: summary(l.problems), Problems: l.problems}
	}
	return l.doc, nil
}

// A loader loads one document.
type loader struct {
	reader   *Reader
	doc      *Document
	problems []Problem
}

// maxProblem limits the length of a problem, which may include a long path.
const maxProblem = 400

func (l *loader) fail(pointer, reason string) {
	reason = words.Valid(reason)
	text := words.Short(at(pointer, reason), maxProblem)
	l.problems = append(l.problems, Problem{pointer, words.Short(reason, maxProblem), text})
}

func (l *loader) load(f *fields) {
	schema, where, err := l.schema(f.Schema)
	if err != nil {
		l.fail(where, err.Error())
		return
	}
	l.doc.Lifecycle.Schema = schema
	l.doc.Lifecycle.LegacyTypeSystem = f.LegacyTypeSystem
	for _, v := range l.doc.values(f) {
		*v.to = l.value(v.name, *v.json)
		*v.json = nil // it may be large
	}
	l.paths(f.RequiresReplace)
}

// A schemaForm has the fields by which the forms of a schema differ. The forms are a reference to a
// file, a resource schema, and a block.
type schemaForm struct {
	File     string          `json:"file"`
	Type     string          `json:"type"`
	Provider string          `json:"provider"`
	Block    json.RawMessage `json:"block"`
}

// schema returns the schema. If it is invalid, schema returns the pointer to the wrong part.
func (l *loader) schema(text jsontext.Value) (*objchange.Schema, string, error) {
	var form schemaForm
	if err := json.Unmarshal(text, &form); err != nil || text.Kind() != '{' {
		return nil, "/schema", errors.New("must be a schema, or an object with the strings file, type and provider")
	}
	if form.File != "" {
		schema, err := l.referred(form)
		return schema, "/schema", err
	}
	where, schema := "/schema", &configschema.Block{}
	var err error
	if form.Block != nil {
		var resource configschema.Schema
		err = json.Unmarshal(text, &resource)
		schema, where = resource.Block, "/schema/block"
	} else {
		err = schema.UnmarshalJSON(text)
	}
	var compiled *objchange.Schema
	if err == nil {
		compiled, err = compile(schema)
	}
	if err != nil {
		return nil, where, fmt.Errorf("%s", summary(words.Problems(err)))
	}
	if err := schema.Validate(); err != nil {
		problems := summary(words.Problems(err))
		l.doc.Note = l.doc.unusable("%s: Terraform does not accept this schema: %s", where, problems).Error()
	}
	return compiled, "", nil
}

// compile returns the compiled schema. Its error lists all problems of an invalid schema, also
// those that objchange.Compile accepts.
func compile(schema *configschema.Block) (*objchange.Schema, error) {
	compiled, err := objchange.Compile(schema)
	if err != nil {
		return nil, schema.Validate()
	}
	return compiled, nil
}

// referred returns the schema that the document refers to.
func (l *loader) referred(ref schemaForm) (*objchange.Schema, error) {
	if ref.Type == "" {
		return nil, errors.New("the field type is missing")
	}
	path := ref.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(l.doc.Place.File), path)
	}
	if l.reader.files == nil {
		l.reader.files, l.reader.compiled = map[string]schemaFile{}, map[*configschema.Block]*objchange.Schema{}
	}
	if l.reader.files[path] == nil {
		l.reader.files[path] = sync.OnceValues(func() (*configschema.ProviderSchemas, error) {
			return ReadSchemas(path, l.reader.Open)
		})
	}
	schemas, err := l.reader.files[path]()
	if err != nil {
		return nil, err
	}
	found, err := schemas.Resource(ref.Provider, ref.Type)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if compiled := l.reader.compiled[found.Block]; compiled != nil {
		return compiled, nil
	}
	compiled, err := compile(found.Block)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s is not valid: %s", path, ref.Type, summary(words.Problems(err)))
	}
	l.reader.compiled[found.Block] = compiled
	return compiled, nil
}

// MaxSchemas is the maximum size of a file of schemas. The schemas of a large provider take twenty
// megabytes.
const MaxSchemas = 512 << 20

// ReadSchemas reads a file of schemas, which the function open opens. The error names the file, and the
// line if it is not valid JSON.
func ReadSchemas(name string, open func(name string) (io.ReadCloser, error)) (*configschema.ProviderSchemas, error) {
	file, err := open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	name = words.FileName(name)
	text, err := io.ReadAll(jsonpos.PlainText(files.Limit(file, MaxSchemas)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	schemas, err := configschema.ParseProviderSchemas(text)
	if err == nil {
		return schemas, nil
	}
	text = bytes.TrimRight(text, " \t\r\n")
	r, at := jsonpos.NewReader(bytes.NewReader(text)), new(jsonpos.Error)
	if errors.As(r.Skip(), &at) {
		name += fmt.Sprintf(":%d", at.Line)
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}

// paths sets the paths that require replacement. The rules check whether the paths exist.
func (l *loader) paths(list [][]any) {
	for i, steps := range list {
		path, err := pathOf(l.doc.Lifecycle.Schema.ImpliedType(), steps)
		if err != nil {
			l.fail(pointer.New("requires_replace", strconv.Itoa(i)), err.Error())
			continue
		}
		l.doc.RequiresReplace = append(l.doc.RequiresReplace, path)
	}
}

// pathOf returns the path with the given steps into a value of the type. A step is a string, a number, or an
// object that stands for a string.
func pathOf(ty cty.Type, steps []any) (path cty.Path, err error) {
	for _, data := range steps {
		if _, isForm := data.(map[string]any); isForm {
			if data, err = placeholder.TextOf(data); err != nil {
				return nil, err
			}
		}
		name, isName := data.(string)
		switch {
		case ty.IsSetType():
			return nil, fmt.Errorf("a path cannot lead to an element of a set")
		case !isName:
			n, err := ctydata.Format{}.ValueOfType(cty.Number, data)
			if err != nil {
				return nil, err
			}
			if !n.AsBigFloat().IsInt() {
				return nil, errors.New("an index must be an integer")
			}
			path = path.Index(n)
		case ty.IsMapType():
			path = path.IndexString(name)
		default:
			path = path.GetAttr(name)
		}
		ty = pointer.Inside(ty, name)
	}
	return path, nil
}
