package conformance_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
)

// TestProposedTakesTheConfigurationAsGiven checks that the corpus has cases of OpProposed whose
// outcome is right for the given configuration, but not for the prepared configuration.
func TestProposedTakesTheConfigurationAsGiven(t *testing.T) {
	for c, err := range conformance.Select(func(_ string, op conformance.Op) bool { return op == conformance.OpProposed }) {
		if err != nil {
			t.Fatal(err)
		}
		schema, err := objchange.Compile(c.Schema.Block)
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := objchange.PrepareComputedBlocks(schema, c.In["config"])
		if err != nil {
			t.Fatal(err)
		}
		if prepared.RawEquals(c.In["config"]) {
			continue
		}
		other := *c
		other.In = maps.Clone(c.In)
		other.In["config"] = prepared
		if c.Compare(conformance.Answer(c)).Verdict == conformance.VerdictSame && c.Compare(conformance.Answer(&other)).Verdict == conformance.VerdictValue {
			return
		}
	}
	t.Error("no case has a prepared configuration that differs from the given one")
}

// TestRecordedProblemsOfWriteOnlyAndKeys checks that the corpus has problems of write-only attributes together
// with other problems, and problems at map keys.
func TestRecordedProblemsOfWriteOnlyAndKeys(t *testing.T) {
	beside, keys := 0, 0
	for c, err := range conformance.Select(func(id string, op conformance.Op) bool {
		return op == conformance.OpPlan && strings.HasPrefix(id, "random-20261121-")
	}) {
		if err != nil {
			t.Fatal(err)
		}
		problems := c.Want["terraform"].Problems
		writeOnly := func(p conformance.Problem) bool { return p.Rule == string(objchange.RuleWriteOnlyNotNull) }
		rest := slices.DeleteFunc(slices.Clone(problems), writeOnly)
		if len(rest) > 0 && len(rest) < len(problems) {
			beside++
		}
		for _, p := range problems {
			if strings.Contains(*p.Path, `["k`) {
				keys++
			}
		}
		if beside > 0 && keys > 0 {
			return
		}
	}
	t.Errorf("%d cases have problems beside write-only ones, and %d problems are at a key", beside, keys)
}

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
