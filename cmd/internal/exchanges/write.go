package exchanges

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"
	"time"

	"google.golang.org/grpc/status"

	"github.com/objchange/objchange/tfcheck"
)

const (
	// maxBodies is the maximum size of all messages of an RPC. Larger ones are not written.
	maxBodies = 256 << 20
	// MaxStream is the maximum size of the messages after the first in each direction.
	MaxStream = 16 << 20
)

// A Recorder writes a recording. Use Create to create one. It is safe for concurrent use. A write
// error does not affect the recorded program. Close returns it.
type Recorder struct {
	name     string
	made     string // the folder, if Create made it
	redactor *Redactor
	program  tfcheck.Program

	mu      sync.Mutex
	file    io.WriteCloser
	schemas map[schemaRPC]bool // written with the providers
	failed  error              // after an error nothing is written
	since   time.Time
}

// A schemaRPC is an RPC of a provider that returns schemas.
type schemaRPC struct{ address, method string }

// Create begins a recording in the folder, and makes the folder if it does not exist. It does not
// overwrite an existing recording. If redact is true, it keeps only schemas and shapes. Replay will
// apply the rules of the program. "" means Terraform.
func Create(dir string, redact bool, program tfcheck.Program) (*Recorder, error) {
	r := &Recorder{name: filepath.Join(dir, Name), schemas: map[schemaRPC]bool{}, program: program}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		r.made = dir
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(r.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s: already exists, and recordings are not overwritten: use another folder", r.name)
	}
	if err != nil {
		return nil, err
	}
	r.begin(file, redact)
	if r.failed != nil {
		r.Discard()
		return nil, r.failed
	}
	return r, nil
}

func (r *Recorder) begin(file io.WriteCloser, redact bool) {
	r.file = file
	if redact {
		r.redactor = NewRedactor()
	}
	header := Header{FormatVersion: major + "." + minor, Redacted: redact}
	if r.program != tfcheck.Terraform {
		header.Program = r.program
	}
	r.write(line{Kind: headerKind, Header: header}, nil)
}

// Provider records a provider. It must precede the RPCs of the provider.
func (r *Recorder) Provider(p Provider) {
	if r.redactor != nil {
		p = r.redactor.Provider(p)
	}
	r.mu.Lock()
	for _, a := range p.Schemas {
		if a.Status == nil {
			r.schemas[schemaRPC{p.Address, a.Method}] = true
		}
	}
	r.mu.Unlock()
	r.write(line{Kind: providerKind, Provider: p}, nil)
}

// RPC sets the name and the type of the RPC, and records it. Then it calls the function then, even if
// writing failed. These calls are in the order of the lines.
func (r *Recorder) RPC(rpc RPC, then func()) {
	rpc.RPC = path.Base(rpc.Method)
	rpc.Type = cmp.Or(rpc.Type, rpc.TypeName())
	switch {
	case r.isSchemas(rpc):
		rpc.SameSchemas, rpc.Responses = true, nil
	case rpc.size() > maxBodies:
		rpc.Cut, rpc.Requests, rpc.Responses = true, nil, nil
	}
	if r.redactor != nil {
		rpc = r.redactor.RPC(rpc)
	}
	r.write(line{Kind: rpcKind, RPC: rpc}, then)
}

// isSchemas reports whether the RPC returned schemas, which are in the recording already.
func (r *Recorder) isSchemas(rpc RPC) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return rpc.Status == nil && r.schemas[schemaRPC{rpc.Provider, rpc.Method}]
}

// write writes a line with one call. If the process is killed, the other lines are complete.
func (r *Recorder) write(l line, then func()) {
	text, err := json.Marshal(l)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil && err == nil {
		_, err = r.file.Write(append(text, '\n'))
	}
	if r.failed == nil && err != nil {
		r.failed, r.since = err, time.Now()
	}
	if then != nil {
		then()
	}
}

// Close ends the recording. If a write failed, the error has the time of the failure.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	closed := r.file.Close()
	if r.failed != nil {
		return fmt.Errorf("%s: the recording ends at %s and does not contain later requests: %w",
			r.name, r.since.UTC().Format(time.RFC3339), r.failed)
	}
	if closed != nil {
		return fmt.Errorf("%s: the recording may be incomplete: %w", r.name, closed)
	}
	return nil
}

// Discard ends the recording and removes it. It does nothing if r is nil.
func (r *Recorder) Discard() {
	if r == nil {
		return
	}
	_ = r.file.Close()
	_ = os.Remove(r.name)
	if r.made != "" {
		_ = os.Remove(r.made) // fails if the folder is not empty
	}
}

// Redact writes the entries of a reader to a redacting recorder. If the last line is incomplete, it
// is omitted, and the error is a TornError. After any other error the output is of no use.
func Redact(from *Reader, to *Recorder) error {
	if from.Header.Redacted {
		return &LineError{1, errors.New("the recording is already redacted")}
	}
	for {
		e, err := from.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case e.Provider != nil:
			to.Provider(*e.Provider)
		case e.RPC != nil:
			to.RPC(*e.RPC, nil)
		}
	}
}

// StatusOf returns the status for an error, or nil if the error is nil.
func StatusOf(err error) *Status {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	return &Status{Code: uint32(s.Code()), Name: s.Code().String(), Message: s.Message()}
}
