package driver

import (
	"bytes"
	"encoding/json"
	"slices"
)

const (
	// tailSize is the amount of the provider's stderr that is kept.
	tailSize = 64 << 10
	// excerptSize is the amount of stderr that an error shows.
	excerptSize = 8 << 10
)

// withStderr adds the end of the provider's stderr to the error.
func (p *Plugin) withStderr(err error) error {
	text := p.stderr.Bytes()
	if len(text) == tailSize { // the first line may be incomplete
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	if shown := excerpt(text); len(shown) > 0 {
		return &ProcessError{err, string(shown)}
	}
	return err
}

// A ProcessError is an error about the process of a provider that wrote to its stderr.
type ProcessError struct {
	Err    error
	Stderr string // the end of it, which may contain secrets
}

// Error returns the error and the stderr.
func (e *ProcessError) Error() string {
	return e.Err.Error() + "\nstderr of the provider:\n" + e.Stderr
}

// Unwrap returns the error without the stderr.
func (e *ProcessError) Unwrap() error { return e.Err }

// excerpt returns the message of the last panic and the text after it, or else the last lines.
func excerpt(text []byte) []byte {
	text = bytes.TrimSpace(text)
	for _, start := range []string{"panic: ", "fatal error: "} {
		if bytes.HasPrefix(text, []byte(start)) {
			return bytes.TrimSpace(text[:min(len(text), excerptSize)])
		}
		if i := bytes.LastIndex(text, []byte("\n"+start)); i >= 0 {
			return bytes.TrimSpace(text[i:min(len(text), i+excerptSize)])
		}
	}
	text = withoutLogNoise(text)
	if extra := len(text) - excerptSize; extra > 0 {
		text = text[extra:]
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return text
}

// withoutLogNoise removes lines of a structured log below warnings. They hide the relevant lines,
// and may contain unredacted data. It also removes an incomplete last line of such a log.
func withoutLogNoise(text []byte) []byte {
	var kept [][]byte
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		var entry struct {
			Level string `json:"@level"`
		}
		if bytes.HasPrefix(line, []byte("{")) {
			err := json.Unmarshal(line, &entry)
			cut := err != nil && bytes.HasPrefix(line, []byte(`{"@`))
			if cut || slices.Contains([]string{"trace", "debug", "info"}, entry.Level) {
				continue
			}
		}
		kept = append(kept, line)
	}
	return bytes.TrimSpace(bytes.Join(kept, []byte("\n")))
}
