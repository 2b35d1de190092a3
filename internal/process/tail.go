package process

import (
	"bytes"
	"io"
	"sync"
)

// A Tail keeps the end of what is written to it. It is safe for concurrent use.
type Tail struct {
	Size int       // the maximum number of bytes that are kept
	Copy io.Writer // receives everything that is written, or nil

	mu   sync.Mutex
	kept []byte
}

// Write ignores errors of the copy: they concern the owner of the writer.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	t.kept = append(t.kept[:0], t.kept[max(len(t.kept)-t.Size, 0):]...)
	if t.Copy != nil {
		_, _ = t.Copy.Write(p)
	}
	return len(p), nil
}

// Bytes returns what is kept.
func (t *Tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.kept)
}

// Reset drops what is kept.
func (t *Tail) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = nil
}

// Detach stops the copying.
func (t *Tail) Detach() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Copy = nil
}
