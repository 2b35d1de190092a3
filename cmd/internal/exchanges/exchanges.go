// Package exchanges reads and writes recordings. A recording has all messages between Terraform or
// OpenTofu and the providers, in the form of the wire. The file docs/recording.md describes the
// format.
package exchanges

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"time"

	"github.com/objchange/objchange/tfcheck"
)

// Name is the name of the file in the folder of a recording.
const Name = "exchanges.jsonl"

// Schema is the JSON Schema of a line.
//
//go:embed recording.schema.json
var Schema []byte

// These are the parts of the version of the format. A minor version adds fields or kinds of lines.
const (
	major = "1"
	minor = "0"
)

// These are the kinds of lines.
const (
	headerKind   = "recording"
	providerKind = "provider"
	rpcKind      = "rpc"
)

// A Header is the first line of a recording.
type Header struct {
	FormatVersion string `json:"format_version,omitempty"`
	Redacted      bool   `json:"redacted,omitempty"`
	// Program is the recorded program, if it is not Terraform.
	Program tfcheck.Program `json:"program,omitempty"`
}

// A Provider is a provider whose RPCs are recorded.
type Provider struct {
	Address  string   `json:"address,omitempty"`
	Protocol int      `json:"protocol,omitempty"`
	Schemas  []Answer `json:"schemas,omitempty"`
}

// Ask returns the recorded response for a method that returns schemas. It is an encoded.Caller.
func (p Provider) Ask(_ context.Context, method string) ([]byte, error) {
	for _, a := range p.Schemas {
		switch {
		case a.Method != method:
		case a.Status != nil:
			return nil, a.Status
		default:
			return a.Response, nil
		}
	}
	return nil, errors.New("the recording does not contain the response")
}

// An Answer is the recorded response of a provider to a request for its schemas.
type Answer struct {
	Method   string  `json:"method"`
	Response []byte  `json:"response,omitzero"`
	Status   *Status `json:"status,omitempty"`
}

// An RPC is a recorded RPC.
type RPC struct {
	Time       time.Time `json:"time,omitzero"` // time of the request
	Provider   string    `json:"provider,omitempty"`
	Connection int       `json:"connection,omitempty"`
	Method     string    `json:"method,omitempty"` // such as /tfplugin6.Provider/ReadResource
	RPC        string    `json:"rpc,omitempty"`    // the last part of Method
	Type       string    `json:"type,omitempty"`

	Requests  [][]byte `json:"requests,omitzero"`
	Responses [][]byte `json:"responses,omitzero"`
	Status    *Status  `json:"status,omitempty"` // nil means OK

	// These fields say why messages are missing.
	SameSchemas bool   `json:"same_schemas,omitempty"`
	Cut         bool   `json:"cut,omitempty"`
	Dropped     Reason `json:"dropped,omitempty"`
}

// Request returns the first request, or nil.
func (x RPC) Request() []byte { return first(x.Requests) }

// Response returns the first response, or nil.
func (x RPC) Response() []byte { return first(x.Responses) }

func first(messages [][]byte) []byte {
	if len(messages) == 0 {
		return nil
	}
	return messages[0]
}

// Single reports whether the RPC has one request and at most one response, and no message is missing.
func (x RPC) Single() bool { return len(x.Requests) == 1 && len(x.Responses) <= 1 && !x.Cut }

// size returns the size of all messages in bytes.
func (x RPC) size() (n int) {
	for _, message := range slices.Concat(x.Requests, x.Responses) {
		n += len(message)
	}
	return n
}

// Missing returns the reason why messages of the RPC are missing, or "".
func (x RPC) Missing() string {
	switch {
	case x.Cut:
		return "it was too large to be recorded completely"
	case x.Dropped != "":
		return "its messages were dropped to redact it: " + string(x.Dropped)
	case x.Requests == nil:
		return "its messages are not in the recording"
	}
	return ""
}

// A Reason says why redaction dropped the messages of an RPC.
type Reason string

// These are the reasons.
const (
	NotChecked    Reason = "not checked"    // there are no rules for it
	NotUnderstood Reason = "not understood" // it cannot be decoded with the schemas
)

// A Status is the status of an RPC that failed.
type Status struct {
	Code    uint32 `json:"code"`
	Name    string `json:"name"`
	Message string `json:"message,omitempty"`
}

// Error returns the name of the code and the message.
func (s *Status) Error() string { return s.Name + ": " + s.Message }

// withoutText returns the status without message.
func (s *Status) withoutText() *Status {
	if s == nil {
		return nil
	}
	return &Status{Code: s.Code, Name: s.Name}
}

// ErrMistake is the error of a check that panicked.
var ErrMistake = errors.New("a bug in objchange: please report it")

// Guarded returns the results of check, or ErrMistake if check panics.
func Guarded[T any](check func() (T, error)) (result T, err error) {
	defer func() {
		if recover() != nil { // do not show the value, it may be secret
			err = ErrMistake
		}
	}()
	return check()
}
