// Package exchanges is recordings of all that passes between Terraform or OpenTofu and
// providers, as it is on the wire: docs/recording.md has the format.
package exchanges

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"time"

	"github.com/objchange/objchange/tfcheck"
)

// Name is that of the file in the folder of a recording.
const Name = "exchanges.jsonl"

// Schema is the JSON Schema of a line.
//
//go:embed recording.schema.json
var Schema []byte

// The versions of the format: what adds fields or kinds of lines is a minor one. A
// recording has the first one that has all of its fields.
const (
	major          = "1"
	formatVersion  = major + ".0"
	programVersion = major + ".1"
)

// The kinds of lines.
const (
	headerKind   = "recording"
	providerKind = "provider"
	rpcKind      = "rpc"
)

// A Header begins a recording.
type Header struct {
	FormatVersion string `json:"format_version,omitempty"`
	Redacted      bool   `json:"redacted,omitempty"`
	// Program is the recorded program, if it is not Terraform.
	Program tfcheck.Program `json:"program,omitempty"`
}

// A Provider is one whose RPCs are recorded.
type Provider struct {
	Address  string   `json:"address,omitempty"`
	Protocol int      `json:"protocol,omitempty"`
	Schemas  []Answer `json:"schemas,omitempty"`
}

// Ask returns what the provider answered when it was asked for its schemas by that method.
// It is a witness.Asker.
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
	return nil, errors.New("the recording does not have the answer")
}

// An Answer is what a provider answered that was asked for its schemas.
type Answer struct {
	Method   string  `json:"method"`
	Response []byte  `json:"response,omitzero"`
	Status   *Status `json:"status,omitempty"`
}

// An RPC is one that has passed.
type RPC struct {
	Time       time.Time `json:"time,omitzero"` // when it was asked
	Provider   string    `json:"provider,omitempty"`
	Connection int       `json:"connection,omitempty"`
	Method     string    `json:"method,omitempty"` // as /tfplugin6.Provider/ReadResource
	RPC        string    `json:"rpc,omitempty"`    // its last part
	Type       string    `json:"type,omitempty"`

	Requests  [][]byte `json:"requests,omitzero"`
	Responses [][]byte `json:"responses,omitzero"`
	Status    *Status  `json:"status,omitempty"` // nil is OK

	// Why there are not all messages.
	SameSchemas bool   `json:"same_schemas,omitempty"`
	Cut         bool   `json:"cut,omitempty"`
	Dropped     Reason `json:"dropped,omitempty"`
}

// size returns how large the messages are.
func (x RPC) size() (n int) {
	for _, message := range slices.Concat(x.Requests, x.Responses) {
		n += len(message)
	}
	return n
}

// A Reason is why redaction has dropped the messages of an RPC.
type Reason string

// The reasons.
const (
	NotJudged     Reason = "not judged"     // no rule speaks of it
	NotUnderstood Reason = "not understood" // it cannot be decoded by the schemas
)

// A Status is with what an RPC ended that failed.
type Status struct {
	Code    uint32   `json:"code"`
	Name    string   `json:"name"`
	Message string   `json:"message,omitempty"`
	Details [][]byte `json:"details,omitempty"` // each a google.protobuf.Any
}

// Error says the name of the code and the message.
func (s *Status) Error() string { return s.Name + ": " + s.Message }

// withoutText returns the status without what somebody has written.
func (s *Status) withoutText() *Status {
	if s == nil {
		return nil
	}
	return &Status{Code: s.Code, Name: s.Name}
}
