package exchanges

import (
	"context"
	"errors"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfcheck"
	"github.com/objchange/objchange/tfcheck/encoded"
)

// A Redactor keeps only schemas and shapes of the recorded messages. Use NewRedactor to create one
// for each recording. It is safe for concurrent use.
type Redactor struct {
	pseudonyms pseudonyms

	mu        sync.Mutex
	providers map[string]*redactedProvider
}

// A redactedProvider is a provider whose schemas are known.
type redactedProvider struct {
	played
	shapes sync.Map // of type map[*configschema.Block]*shape
}

// NewRedactor returns a redactor with its own pseudonyms.
func NewRedactor() *Redactor {
	return &Redactor{pseudonyms: newPseudonyms(), providers: map[string]*redactedProvider{}}
}

// Provider returns the redacted provider: its schemas without the text of diagnostics.
func (r *Redactor) Provider(p Provider) Provider {
	kept := make([]Answer, len(p.Schemas))
	for i, a := range p.Schemas {
		kept[i] = Answer{Method: a.Method, Status: a.Status.withoutText()}
		if a.Status == nil {
			kept[i].Response = withoutDiagnostics(a)
		}
	}
	p.Schemas = kept
	if encoded, err := encoded.New(p.Protocol, tfcheck.Terraform); err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.providers[p.Address] = &redactedProvider{played: played{encoded, p}}
	}
	return p
}

// withoutDiagnostics returns the schemas of an answer with only the severity of diagnostics. The
// result is empty if the answer is invalid.
func withoutDiagnostics(a Answer) []byte {
	method := methodOf(a.Method)
	if method == nil {
		return []byte{}
	}
	message, err := parse(method.Output(), a.Response)
	if err != nil {
		return []byte{}
	}
	field := message.Descriptor().Fields().ByName(diagnosticsField)
	if field == nil || !message.Has(field) {
		return a.Response
	}
	keepSeverity(message.Mutable(field).List())
	return encode(message)
}

// RPC returns the redacted RPC. It drops the messages of an RPC without rules, and messages
// that cannot be decoded with the schemas.
func (r *Redactor) RPC(rpc RPC) RPC {
	rpc.Status = rpc.Status.withoutText()
	if rpc.SameSchemas {
		return rpc
	}
	requests, responses := rpc.Requests, rpc.Responses
	rpc.Requests, rpc.Responses = nil, nil
	switch {
	case rpc.Cut:
	case versionOf(rpc.Method) != nil:
		rpc.Requests, rpc.Dropped = onlyVersions(rpc.Method, requests)
	case !tfcheck.Checks(rpc.RPC) || methodOf(rpc.Method) == nil:
		rpc.Dropped = NotChecked
	default:
		var err error
		if rpc.Requests, rpc.Responses, err = r.messages(rpc, requests, responses); err != nil {
			rpc.Dropped, rpc.Requests, rpc.Responses = NotUnderstood, nil, nil
		}
	}
	return rpc
}

// versionOf returns the field with the version of the program, or nil if the requests of the RPC have
// no such field.
func versionOf(method string) protoreflect.FieldDescriptor {
	if m := methodOf(method); m != nil {
		return m.Input().Fields().ByName("terraform_version")
	}
	return nil
}

// onlyVersions returns the requests with only the version of the program.
func onlyVersions(method string, requests [][]byte) ([][]byte, Reason) {
	field := versionOf(method)
	var kept [][]byte
	for _, raw := range requests {
		message, err := parse(field.ContainingMessage(), raw)
		if err != nil {
			return nil, NotUnderstood
		}
		version := message.Type().New()
		version.Set(field, message.Get(field))
		kept = append(kept, encode(version))
	}
	return kept, ""
}

// messages redacts the messages of an RPC with rules.
func (r *Redactor) messages(rpc RPC, requests, responses [][]byte) (asked, answered [][]byte, err error) {
	defer func() {
		if recover() != nil {
			err = ErrMistake
		}
	}()
	r.mu.Lock()
	provider := r.providers[rpc.Provider]
	r.mu.Unlock()
	if provider == nil {
		return nil, nil, errors.New("the schemas are missing")
	}
	method := methodOf(rpc.Method)
	m := &messageRedactor{pseudonyms: r.pseudonyms, provider: provider, rpc: rpc.RPC, typeName: rpc.Type}
	if asked, err = m.all(method.Input(), requests); err != nil {
		return nil, nil, err
	}
	answered, err = m.all(method.Output(), responses)
	return asked, answered, err
}

// shapeOf returns the shapes of the values in an RPC.
func (d *redactedProvider) shapeOf(rpc, typeName string) (object, identity *shape, err error) {
	block, identified, err := d.encoded.Schemas(context.Background(), d.Ask, rpc, typeName)
	if err != nil {
		return nil, nil, err
	}
	return d.shape(block.Block()), d.shape(identified.Block()), nil
}

func (d *redactedProvider) shape(block *configschema.Block) *shape {
	if block == nil {
		return nil
	}
	known, ok := d.shapes.Load(block)
	if !ok {
		known, _ = d.shapes.LoadOrStore(block, newShape(block))
	}
	return known.(*shape)
}
