package recording

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfconv"
	"github.com/zclconf/go-cty/cty"
)

// A judge judges the requests of one recording.
type judge struct {
	rec     Recording
	log     *logReader
	catalog *catalog

	bad     error // the first value that cannot be read
	moreBad int

	found, missing int // data files

	requests map[kind]int // so far
}

// A kind is what requests are numbered by.
type kind struct{ rpc, typeName string }

// A lostError is why the content of a data file is not known.
type lostError struct{ why string }

func (e lostError) Error() string { return e.why }

// A mismatchError is that a value is not of the type that the schema implies.
type mismatchError struct {
	error
	request bool // it is in the request
}

func (e mismatchError) violation(rpc string) *objchange.Violation {
	v := &objchange.Violation{Rule: objchange.RuleTypeMismatch, Phase: tfcheck.RPCNamed(rpc).Phase, Message: e.Error(), Enforced: true}
	if e.request {
		v.Message = "in the request: " + v.Message
	}
	return v
}

// judge returns what is to be said of the request, and the exchanges in it.
func (j *judge) judge(req *request, how judgement) (report.Subject, []tfcheck.Exchange) {
	kind := kind{req.rpc, req.typeName}
	j.requests[kind]++
	number := j.requests[kind]
	subject := report.Subject{
		Group:   j.rec.Name,
		Columns: []string{req.rpc, req.typeName, report.ObjectName("", number), "-"},
		Number:  number,
		Status:  report.Judged,
		Place:   report.Place{File: j.rec.Log, Line: req.line},
	}
	schema := j.catalog.find(req)
	if schema.wrong != "" {
		subject.Status, subject.Reason = report.Skipped, schema.wrong
		return subject, nil
	}
	exchanges, err := j.exchanges(req, how, schema)
	mismatch := mismatchError{}
	if err != nil && !errors.As(err, &mismatch) {
		j.noteBad(req, err)
		subject.Status, subject.Reason = report.Skipped, err.Error()
		return subject, nil
	}
	if why := req.whyFailed(how.response); why != "" {
		subject.Status, subject.Reason = report.Failed, why
	}
	if err != nil {
		subject.Findings = report.Of(objchange.Violations{mismatch.violation(req.rpc)}, false)
	}
	for _, x := range exchanges {
		subject.Columns[3] = report.Action(x)
		if id := x.Object(); id != "" {
			subject.Columns[2], subject.Object = report.ObjectName(id, number), id
		}
		subject.Findings = append(subject.Findings, report.OfExchange(x.Findings()...)...)
	}
	return subject, exchanges
}

// noteBad keeps an error of values that are there and cannot be read.
func (j *judge) noteBad(req *request, err error) {
	var lost lostError
	switch {
	case errors.As(err, &lost):
	case j.bad == nil:
		j.bad = fmt.Errorf("%s:%d: %w", j.rec.Log, req.line, err)
	default:
		j.moreBad++
	}
}

// unreadable returns the error for all values that cannot be read.
func (j *judge) unreadable() error {
	if j.moreBad == 0 {
		return j.bad
	}
	return fmt.Errorf("%w (and %s after it)", j.bad, words.Plural(j.moreBad, "request"))
}

// exchanges returns the request with its response; with each of them, if
// several objects were imported.
func (j *judge) exchanges(req *request, how judgement, schema *described) ([]tfcheck.Exchange, error) {
	responses, err := j.responses(req, how, schema)
	if err != nil {
		return nil, err
	}
	x := tfcheck.Exchange{
		RPC: req.rpc, TypeName: req.typeName, Schema: schema.schema,
		Failed: req.whyFailed(how.response) != "", Deferred: req.deferred, Legacy: j.rec.Legacy,
	}
	for _, in := range how.request {
		value, err := j.input(req, in, schema)
		if mismatch := (mismatchError{}); errors.As(err, &mismatch) {
			return nil, mismatchError{mismatch.error, true}
		}
		if err != nil {
			return nil, err
		}
		*in.into(&x) = value
	}
	var exchanges []tfcheck.Exchange
	for _, x.Response = range responses {
		exchanges = append(exchanges, x)
	}
	return exchanges, nil
}

// responses returns the values in the response, one at least: the zero
// cty.Value if there is none.
func (j *judge) responses(req *request, how judgement, schema *described) ([]cty.Value, error) {
	files := req.of(how.response)
	failed := req.whyFailed(how.response) != ""
	var values []cty.Value
	for _, file := range files {
		if file.format == "empty" && failed {
			continue // nothing came, which is not null
		}
		value, err := j.value(file, schema.ty)
		if failed && req.rpc != "ApplyResourceChange" && errors.As(err, new(mismatchError)) {
			continue // Core does not look at it either
		}
		if err != nil && len(files) > 1 {
			err = lostError{"the log does not tell the types of several imported objects"}
		}
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		values = append(values, cty.NilVal)
	}
	return values, nil
}

func (j *judge) input(req *request, in input, schema *described) (cty.Value, error) {
	files := req.of(in.field)
	if len(files) == 0 && !in.optional {
		return cty.NilVal, lostError{"the log names no " + in.field}
	}
	if len(files) == 0 {
		return cty.NilVal, nil
	}
	value, err := j.value(files[0], schema.ty)
	if in.optional && errors.As(err, new(lostError)) {
		return cty.NilVal, nil
	}
	return value, err
}

// value reads the value in a data file. Its error is a lostError, or names the
// file and the reason, which shows no part of the value.
func (j *judge) value(file dataFile, ty cty.Type) (cty.Value, error) {
	if file.format == "empty" {
		return cty.NullVal(ty), nil // however often it was written, and wherever it is now
	}
	name := file.name()
	if n := j.log.writes[file]; n > 1 {
		return cty.NilVal, lostError{fmt.Sprintf("%s was written %d times, only the last is left", name, n)}
	}
	content, err := j.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		j.missing++
		return cty.NilVal, lostError{name + " is missing"}
	}
	if err != nil {
		return cty.NilVal, err
	}
	j.found++
	value, err := decode(content, file.format, ty)
	if err != nil && !errors.As(err, new(mismatchError)) {
		return cty.NilVal, fmt.Errorf("%s: %w", name, err)
	}
	return value, err
}

// maxData is how large a data file may be: no provider can send more.
const maxData = 256 << 20

// read reads a data file. The error names it.
func (j *judge) read(name string) ([]byte, error) {
	file, err := j.rec.Data.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(files.Limit(file, maxData))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return content, nil
}

// decode decodes a value as either protocol has it. Its error is a mismatchError
// if it is a value, of another type.
func decode(content []byte, format string, ty cty.Type) (cty.Value, error) {
	if len(content) == 0 {
		return cty.NilVal, errors.New("the file is empty")
	}
	encoded := &tfprotov6.DynamicValue{}
	switch format {
	case "msgpack":
		encoded.MsgPack = content
	case "json":
		encoded.JSON = content
	default:
		return cty.NilVal, fmt.Errorf("unknown format %q", format)
	}
	value, err := tfconv.Decode6(encoded, ty)
	if err != nil && !errors.Is(err, tfconv.ErrMalformed) {
		return cty.NilVal, mismatchError{error: err}
	}
	return value, err
}
