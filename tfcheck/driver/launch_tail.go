//go:build !wasm

package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
)

const (
	// tailSize is how much of the stderr of a provider is kept.
	tailSize = 64 << 10
	// excerptSize is how much of it an error shows.
	excerptSize = 8 << 10
)

// tail keeps the end of what is written to it and copies everything.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool // the first line may be a part of one
	copy io.Writer
}

// Write never fails: what becomes of the copy is its owner's concern.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - tailSize; extra > tailSize {
		t.kept, t.cut = append(t.kept[:0], t.kept[extra:]...), true
	}
	_, _ = t.copy.Write(p)
	return len(p), nil
}

// detach ends the copying.
func (t *tail) detach() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.copy = io.Discard
}

// attach adds what was written last to the error.
func (t *tail) attach(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.kept
	if extra := len(text) - tailSize; extra > 0 {
		text, t.cut = text[extra:], true
	}
	if t.cut {
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	shown := excerpt(text)
	if len(shown) == 0 {
		return err
	}
	return fmt.Errorf("%w\nstderr of the provider:\n%s", err, shown)
}

// excerpt returns the message of the last panic and what follows, or else the
// last lines.
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
	text = withoutChatter(text)
	if extra := len(text) - excerptSize; extra > 0 {
		text = text[extra:]
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	return text
}

// withoutChatter leaves out lines of a structured log below warnings, and the part of
// one that came last: they bury what is to be read, and hold what nobody looked over.
func withoutChatter(text []byte) []byte {
	var kept [][]byte
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		var entry struct {
			Level string `json:"@level"`
		}
		if bytes.HasPrefix(line, []byte("{")) {
			err := json.Unmarshal(line, &entry)
			if slices.Contains([]string{"trace", "debug", "info"}, entry.Level) || err != nil && bytes.HasPrefix(line, []byte(`{"@`)) {
				continue
			}
		}
		kept = append(kept, line)
	}
	return bytes.TrimSpace(bytes.Join(kept, []byte("\n")))
}
