package conformance_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// TestCorpusIsInSetOrder checks that the sets in the corpus are encoded in set order, by
// decoding and encoding the values. It reads every fifth schema of each file.
func TestCorpusIsInSetOrder(t *testing.T) {
	files, err := fs.Glob(conformance.Corpus(), "*/*.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := conformance.Corpus().Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		text, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(text)
		lines.Buffer(nil, conformance.LongestLine)
		var schema *configschema.Block
		for schemas := 0; lines.Scan(); {
			var line struct {
				Block *configschema.Block
				In    map[string]json.RawMessage
			}
			if strings.HasPrefix(lines.Text(), `{"schema_name"`) {
				schemas++
			}
			if schemas%5 != 0 {
				continue
			}
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			if line.Block != nil {
				schema = line.Block
			}
			for _, value := range line.In {
				v, err := conformance.MessagePack{}.Decode(schema, value)
				if err != nil {
					t.Fatal(err)
				}
				if again, err := (conformance.MessagePack{}).Encode(schema, v); err != nil || string(again) != string(value) {
					t.Errorf("%s: %#v is written as %s and not %s: %v", name, v, again, value, err)
				}
			}
		}
	}
}
