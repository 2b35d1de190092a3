package document_test

import (
	"math/rand"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
)

func TestZZ(t *testing.T) {
	parts := []string{"{", "}", "[", "]", "\n", "\n{", `{"schema": {}}`, `"a"`, ":", ",", "\r\n", " ", "\"", "\xff", "{\"a\": 1, \"a\": 2}", "\n{\"b", strings.Repeat("\n", 5000), "null", "1"}
	for i := 0; i < 60000; i++ {
		var b strings.Builder
		for range rand.Intn(12) {
			b.WriteString(parts[rand.Intn(len(parts))])
		}
		var r document.Reader
		last := 0
		lines := strings.Count(b.String(), "\n") + 1
		in := strings.NewReader(b.String())
		n := 0
		check := func(d *document.Document, err error) {
			n++
			line := 0
			if err != nil {
				if e, ok := err.(*document.Error); ok { line = e.Place.Line }
			} else { line = d.Place.Line }
			if line > lines || n > 100 { t.Fatalf("%q line %d of %d", b.String(), line, lines) }
			last = line
		}
		if i%2 == 0 {
			for d, err := range r.Read("f", in) { check(d, err) }
		} else {
			for d, err := range r.Read("f", iotest.OneByteReader(in)) { check(d, err) }
		}
		_ = last
	}
}
