package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

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
	"github.com/objchange/objchange/internal/sensitive"
)

// document returns the n-th document of a file from its JSON. The error is an *Error with all
// problems of the document.
func (r *Reader) document(place report.Place, n int, text jsontext.Value, at jsonpos.Position) (*Document, error) {
	place.Line = at.Line
	l := loader{Reader: r, Document: &Document{Name: unnamed(n), Place: place, marks: &sensitive.Places{}, text: text, at: at}}
	if l.check(jsonpos.Data(text)); l.problems == nil {
		l.load()
	}
	if len(l.problems) > 0 {
		return nil, &Error{Name: l.Name, Place: place, Reason: summary(l.problems), Problems: l.problems}
	}
	return l.Document, nil
}

// unnamed returns the name of the n-th document of a file if it has none.
func unnamed(n int) string { return "document " + strconv.Itoa(n) }

// A loader loads one document.
type loader struct {
	*Reader
	*Document
	fields   map[string]any
	problems []Problem
}

// maxProblem limits the length of a problem, which may include a long path.
const maxProblem = 400

func (l *loader) fail(pointer, reason string) {
	reason = words.Valid(reason)
	l.problems = append(l.problems, Problem{pointer, words.Short(reason, maxProblem), words.Short(at(pointer, reason), maxProblem)})
}

// ofRecording has the kinds of lines in a recording. A document has no such field.
var ofRecording = map[any]bool{"recording": true, "provider": true, "rpc": true}

// check sets the fields of the document, and reports the violations of the JSON Schema.
func (l *loader) check(data any) {
	l.fields, _ = data.(map[string]any)
	if name, ok := l.fields["name"].(string); ok && name != "" {
		l.Name = name
	}
	if kind, ok := l.fields["kind"].(string); ok && l.fields["schema"] == nil && ofRecording[kind] {
		l.fail("", "this is a line of a recording, not a document: use objchange replay, or objchange replay --documents")
		return
	}
	for _, p := range malformed(data) {
		l.fail(p.Pointer, p.Reason)
	}
}

func (l *loader) load() {
	schema, where, err := l.schema(l.fields["schema"].(map[string]any))
	if err != nil {
		l.fail(where, err.Error())
		return
	}
	l.Lifecycle.Schema = schema
	l.Lifecycle.LegacyTypeSystem, _ = l.fields["legacy_type_system"].(bool)
	for _, v := range l.values() {
		*v.to = l.value(v.name, pointer.New(v.name))
	}
	for _, v := range l.values() { // after all marks are known
		*v.to = l.marks.Mark(*v.to, mark{}, false)
	}
	l.paths()
}

// schema returns the schema. If it is invalid, schema returns the pointer to the wrong part.
func (l *loader) schema(data map[string]any) (*objchange.Schema, string, error) {
	if _, elsewhere := data["file"]; elsewhere {
		schema, err := l.referred(data)
		return schema, "/schema", err
	}
	text, err := json.Marshal(data)
	if err != nil {
		return nil, "/schema", err
	}
	where := "/schema"
	schema := &configschema.Block{}
	if _, whole := data["block"]; whole {
		var resource configschema.Schema
		err = json.Unmarshal(text, &resource)
		schema, where = resource.Block, "/schema/block"
	} else {
		err = schema.UnmarshalJSON(text)
	}
	var compiled *objchange.Schema
	if err == nil {
		compiled, err = Compile(schema)
	}
	if err != nil {
		return nil, where, fmt.Errorf("%s", summary(words.Problems(err)))
	}
	if err := schema.Validate(); err != nil {
		l.Note = l.unusable("%s: Terraform does not accept this schema: %s", where, summary(words.Problems(err))).Error()
	}
	return compiled, "", nil
}

// Compile returns the compiled schema. Its error lists all problems of an invalid schema, also
// those that objchange.Compile accepts.
func Compile(schema *configschema.Block) (*objchange.Schema, error) {
	compiled, err := objchange.Compile(schema)
	if err != nil {
		return nil, schema.Validate()
	}
	return compiled, nil
}

// A schemaFile is the content of a file of schemas, or the error of reading it.
type schemaFile struct {
	schemas *configschema.ProviderSchemas
	err     error
}

// referred returns the schema that the document refers to.
func (l *loader) referred(ref map[string]any) (*objchange.Schema, error) {
	file, _ := ref["file"].(string)
	typeName, _ := ref["type"].(string)
	provider, _ := ref["provider"].(string)
	path := file
	if !filepath.IsAbs(file) {
		path = filepath.Join(filepath.Dir(l.Place.File), file)
	}
	read, ok := l.files[path]
	if !ok {
		if l.files == nil {
			l.files, l.compiled = map[string]schemaFile{}, map[*configschema.Block]*objchange.Schema{}
		}
		read.schemas, read.err = l.readSchemas(path)
		l.files[path] = read
	}
	if read.err != nil {
		return nil, read.err
	}
	found, err := read.schemas.Resource(provider, typeName)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if compiled := l.compiled[found.Block]; compiled != nil {
		return compiled, nil
	}
	compiled, err := Compile(found.Block)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s is not valid: %s", path, typeName, summary(words.Problems(err)))
	}
	l.compiled[found.Block] = compiled
	return compiled, nil
}

func (r *Reader) readSchemas(path string) (*configschema.ProviderSchemas, error) {
	open := r.Open
	if open == nil {
		open = func(path string) (io.ReadCloser, error) { return files.Regular(path) }
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadSchemas(path, file)
}

// MaxSchemas is the maximum size of a file of schemas. The schemas of a large provider take twenty
// megabytes.
const MaxSchemas = 512 << 20

// ReadSchemas reads a file of schemas. The error names the file, and the line if it is not valid
// JSON.
func ReadSchemas(name string, in io.Reader) (*configschema.ProviderSchemas, error) {
	if name == "-" {
		name = "stdin"
	}
	text, err := io.ReadAll(jsonpos.PlainText(files.Limit(in, MaxSchemas)))
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
func (l *loader) paths() {
	list, _ := l.fields["requires_replace"].([]any)
	for i, steps := range list {
		path, err := pathOf(l.Lifecycle.Schema.ImpliedType(), steps.([]any))
		if err != nil {
			l.fail(pointer.New("requires_replace", strconv.Itoa(i)), err.Error())
			continue
		}
		l.RequiresReplace = append(l.RequiresReplace, path)
	}
}

// pathOf returns the path with the given steps into a value of the type.
func pathOf(ty cty.Type, steps []any) (path cty.Path, err error) {
	for _, s := range steps {
		if _, isForm := s.(map[string]any); isForm {
			if s, err = placeholder.TextOf(s); err != nil {
				return nil, err
			}
		}
		_, isNumber := s.(json.Number)
		switch {
		case ty.IsSetType():
			return nil, fmt.Errorf("a path cannot lead to an element of a set")
		case isNumber:
			n, err := ctydata.Format{}.ValueOfType(cty.Number, s)
			if err != nil {
				return nil, err
			}
			path = path.Index(n)
		case ty.IsMapType():
			path = path.IndexString(s.(string))
		default:
			path = path.GetAttr(s.(string))
		}
		name, _ := s.(string)
		ty = pointer.Inside(ty, name)
	}
	return path, nil
}
