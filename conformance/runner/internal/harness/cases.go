package harness

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"

	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/conformance/runner/internal/cases"
)

// Read ranges over the cases of a file, which gzip may have compressed.
func Read(name string, in io.Reader) Cases {
	return func(yield func(*conformance.Case, error) bool) {
		plain, err := uncompressed(in)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
			return
		}
		for c, err := range conformance.Read(plain, cases.JSON{}) {
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", name, err))
				return
			}
			if c.File = name; !yield(c, nil) {
				return
			}
		}
	}
}

// uncompressed returns what is read, or what gzip has compressed to it.
func uncompressed(in io.Reader) (io.Reader, error) {
	r := bufio.NewReader(in)
	if start, _ := r.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return r, nil
	}
	return gzip.NewReader(r)
}

// Filter ranges over the cases to keep.
func Filter(cases Cases, keep func(id string, op conformance.Op) bool) Cases {
	return func(yield func(*conformance.Case, error) bool) {
		for c, err := range cases {
			if err == nil && !keep(c.ID, c.Op) {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Held ranges over the cases with the recorded outcome of that name as the right one. It
// leaves out and counts cases without it.
func Held(cases Cases, name string, left *int) Cases {
	return func(yield func(*conformance.Case, error) bool) {
		for c, err := range cases {
			if err == nil {
				want, found := c.Want[name]
				if !found {
					*left++
					continue
				}
				held := *c
				held.Want = map[string]conformance.Outcome{"terraform": want}
				c = &held
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Export writes the cases with what is right, where that is one answer: also of cases that
// nobody has recorded.
func Export(w io.Writer, cases Cases, codec conformance.Codec) error {
	lines := conformance.NewWriter(w, codec, true)
	for c, err := range cases {
		if err != nil {
			return err
		}
		if len(c.Want) == 0 && c.Op != conformance.OpComputed {
			answered := *c
			answered.Want = map[string]conformance.Outcome{"spec": c.Right()}
			c = &answered
		}
		if err := lines.Write(c); err != nil {
			return err
		}
	}
	return nil
}
