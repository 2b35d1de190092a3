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
	// tailSize is the amount of the provider's stderr that is kept.
	tailSize = 64 << 10
	// excerptSize is the amount of stderr that an error shows.
	excerptSize = 8 << 10
)

// tail keeps the end of the written data and copies all of it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	copy io.Writer // may be nil
}

// Write ignores errors of the copy: they concern the owner of the writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	t.kept = append(t.kept[:0], t.kept[max(len(t.kept)-tailSize, 0):]...)
	if t.copy != nil {
		_, _ = t.copy.Write(p)
	}
	return len(p), nil
}

// detach stops the copying.
func (t *tail) detach() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.copy = nil
}

// attach adds the end of the written data to the error.
func (t *tail) attach(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.kept
	if len(text) == tailSize { // the first line may be incomplete
		text = text[bytes.IndexByte(text, '\n')+1:]
	}
	if shown := excerpt(text); len(shown) > 0 {
		return fmt.Errorf("%w\nstderr of the provider:\n%s", err, shown)
	}
	return err
}

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
			if slices.Contains([]string{"trace", "debug", "info"}, entry.Level) || err != nil && bytes.HasPrefix(line, []byte(`{"@`)) {
				continue
			}
		}
		kept = append(kept, line)
	}
	return bytes.TrimSpace(bytes.Join(kept, []byte("\n")))
}
