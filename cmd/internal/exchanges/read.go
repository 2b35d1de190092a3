package exchanges

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/objchange/objchange/cmd/internal/files"
)

// maxLine is the maximum length of a line. A Recorder writes no longer lines.
const maxLine = 1 << 30

// A line is a line of any kind.
type line struct {
	Kind string `json:"kind"`
	Header
	Provider
	RPC
}

// An Entry is a line with a provider or an RPC. It has neither if the line belongs to a newer
// version of the format.
type Entry struct {
	Line     int
	Provider *Provider
	RPC      *RPC
}

// A LineError is the error for a line that cannot be used. Reading may continue after it.
type LineError struct {
	Line int
	Err  error
}

// Error returns the line and the reason.
func (e *LineError) Error() string { return fmt.Sprintf("%d: %v", e.Line, e.Err) }

// Unwrap returns the reason.
func (e *LineError) Unwrap() error { return e.Err }

// A TornError is the error for an incomplete last line. The writing process ended too early.
type TornError struct{ Line int }

// Error returns the line and the likely cause.
func (e *TornError) Error() string {
	return fmt.Sprintf("%d: the last line is incomplete, because the recording process ended too early", e.Line)
}

// A Reader reads a recording as a stream. Use NewReader to create one.
type Reader struct {
	// Header is the first line of the recording.
	Header Header

	in     *bufio.Reader
	text   []byte // the line including its end
	err    error  // the error that ended the input
	number int    // of the line, from 1
	limit  int
}

// NewReader returns a reader of a recording. It returns an error if the input is not a recording,
// or has an unsupported version.
func NewReader(in io.Reader) (*Reader, error) { return newReader(in, maxLine) }

func newReader(in io.Reader, limit int) (*Reader, error) {
	r := &Reader{in: bufio.NewReaderSize(in, 1<<16), limit: limit}
	if err := r.next(); err != nil && err != io.EOF {
		return nil, err
	}
	var first line
	if json.Unmarshal(r.text, &first) != nil || first.Kind != headerKind || first.Header.FormatVersion == "" {
		return nil, &LineError{1, errors.New("not a recording of objchange watch --record: " +
			"the first line is not its header")}
	}
	if has, _, _ := strings.Cut(first.Header.FormatVersion, "."); has != major {
		return nil, &LineError{1, fmt.Errorf("the recording has format version %.20q, "+
			"but this version of objchange reads %s.x", first.Header.FormatVersion, major)}
	}
	r.Header = first.Header
	return r, nil
}

// errTooLong is the error for a line beyond the limit.
var errTooLong = errors.New("the line is too long")

// readLine reads a line with its end, in linear time: a bufio.Scanner would search each line again
// after each read. At the end of the input, readLine may return a part of a line together with the error.
func (r *Reader) readLine() (line []byte, err error) {
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > r.limit {
			return nil, errTooLong
		}
		if err != bufio.ErrBufferFull {
			return line, err
		}
	}
}

// next reads the next line that is not empty.
func (r *Reader) next() error {
	for r.err == nil {
		r.text, r.err = r.readLine()
		if len(r.text) == 0 {
			break
		}
		r.number++
		if len(bytes.TrimSpace(r.text)) > 0 {
			return nil
		}
	}
	if r.err == errTooLong {
		return fmt.Errorf("%d: %w", r.number+1, files.TooLarge("the line", int64(r.limit)))
	}
	return r.err
}

// Next returns the next line. It returns io.EOF at the end, a TornError for an incomplete last
// line, and a LineError for a line that cannot be used. After any other error, nothing more can be
// read.
func (r *Reader) Next() (Entry, error) {
	if err := r.next(); err != nil {
		return Entry{}, err
	}
	var l line
	if err := json.Unmarshal(r.text, &l); err != nil {
		switch whole := bytes.HasSuffix(r.text, []byte("\n")); {
		case !whole && r.err != io.EOF:
			return Entry{}, r.err
		case !whole && r.number > 1:
			return Entry{}, &TornError{r.number}
		}
		return Entry{}, &LineError{r.number, plain(err)}
	}
	e := Entry{Line: r.number}
	switch {
	case l.Kind == providerKind && l.Provider.Address == "":
		return Entry{}, &LineError{r.number, errors.New("the provider has no address")}
	case l.Kind == providerKind:
		e.Provider = &l.Provider
	case l.Kind == rpcKind && (l.RPC.Provider == "" || l.RPC.Method == ""):
		return Entry{}, &LineError{r.number, errors.New("the rpc has no provider or method")}
	case l.Kind == rpcKind:
		e.RPC = &l.RPC
	case l.Kind == "" || l.Kind == headerKind:
		return Entry{}, &LineError{r.number, errors.New("neither a provider nor an rpc")}
	}
	return e, nil
}

// plain returns an error for invalid JSON without the names of Go types.
func plain(err error) error {
	if is := (*json.UnmarshalTypeError)(nil); errors.As(err, &is) {
		return fmt.Errorf("the line has a JSON %s in a wrong place", is.Value)
	}
	return fmt.Errorf("invalid JSON in the line: %w", err)
}
