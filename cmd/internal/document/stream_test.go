package document_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/document"
)

// A repeated is a reader of n equal bytes.
type repeated struct {
	b byte
	n int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := min(len(p), r.n)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = r.b
	}
	r.n -= n
	return n, nil
}

var errGone = errors.New("the pipe is gone")

type gone struct{}

func (gone) Read([]byte) (int, error) { return 0, errGone }

// TestLines checks that a line that is too large is skipped, and that a read error is the last
// result.
func TestLines(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	const line = `{"name": "a", "schema": {}, "prior": {}}`
	in := io.MultiReader(strings.NewReader(line+"\n\n"), &repeated{'[', document.MaxSize + 1}, strings.NewReader("\n"+line+"\n{"), gone{})
	var got []string
	var docs document.Reader
	for d, err := range docs.Lines("runs.jsonl", in) {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, fmt.Sprintf("%s in line %d", d.Name, d.Place.Line))
		}
	}
	want := []string{
		"a in line 1",
		"runs.jsonl:3: the document is larger than 16 MB",
		"a in line 4",
		"runs.jsonl:5: the pipe is gone",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
