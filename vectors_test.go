package objchange_test

import (
	"bufio"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/objchange/objchange"
)

// The recorded outcomes: what Terraform Core answered to some thirty thousand
// questions. A file's first line of each schema is followed by its cases.

// vectorFiles are the files in the repository, and those that the pattern in
// OBJCHANGE_VECTORS names: with schemas of third parties, which are not part of it.
func vectorFiles(t testing.TB) []string {
	t.Helper()
	files := []string{"testdata/vectors/random.jsonl.gz", "testdata/vectors/large.jsonl.gz", "testdata/vectors/edge.jsonl.gz"}
	pattern := os.Getenv("OBJCHANGE_VECTORS")
	more, err := filepath.Glob(pattern)
	if err != nil || pattern != "" && more == nil {
		t.Fatalf("OBJCHANGE_VECTORS: no files %q: %v", pattern, err)
	}
	return append(files, more...)
}

type vectorCase struct {
	ID     string             `json:"id"`
	Schema string             `json:"schema"`
	Op     string             `json:"op"`
	In     map[string]string  `json:"in"`
	Want   map[string]outcome `json:"want"`
}

type outcome struct {
	Value  string          `json:"value"`
	Errors []outcomeError  `json:"errors"`
	Panic  json.RawMessage `json:"panic"`
	Skip   json.RawMessage `json:"skip"`
}

type outcomeError struct{ Path, Rule string }

func TestVectors(t *testing.T) {
	for _, file := range vectorFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			counts := map[string]int{}
			eachVector(t, file, func(schema *objchange.Block, c vectorCase) {
				counts[c.Op]++
				t.Run(c.ID+"/"+c.Op, func(t *testing.T) { c.run(t, schema) })
			})
			t.Log(counts)
		})
	}
}

// eachVectorLine reads a file of vectors.
func eachVectorLine(t testing.TB, file string, visit func(line []byte)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		visit(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// eachVector visits the cases in a file of vectors, each with its schema.
func eachVector(t testing.TB, file string, visit func(*objchange.Block, vectorCase)) {
	t.Helper()
	schemas := map[string]*objchange.Block{}
	eachVectorLine(t, file, func(line []byte) {
		var schema struct {
			Name  string           `json:"schema_name"`
			Block *objchange.Block `json:"block"`
		}
		if err := json.Unmarshal(line, &schema); err != nil {
			t.Fatal(err)
		}
		if schema.Name != "" {
			schemas[schema.Name] = schema.Block
			return
		}
		var c vectorCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		visit(schemas[c.Schema], c)
	})
}

// want is the outcome to hold the code to: ours where the specification says
// otherwise, else Terraform's.
func (c vectorCase) want() outcome {
	if o, ok := c.Want["spec"]; ok {
		return o
	}
	return c.Want["terraform"]
}

func (c vectorCase) run(t *testing.T, schema *objchange.Block) {
	if err := schema.Validate(); err != nil {
		t.Fatalf("invalid schema: %s", err)
	}
	in := map[string]cty.Value{}
	for name, encoded := range c.In {
		in[name] = decodeVector(t, schema, encoded)
	}
	var got cty.Value
	var err error
	switch c.Op {
	case "proposed":
		got, err = objchange.ProposedNew(schema, in["prior"], in["config"])
	case "data":
		got, err = objchange.PlannedDataResource(schema, in["config"])
	case "legacy":
		got, err = objchange.NormalizeLegacySDK(schema, in["value"])
	case "prepare":
		got, err = objchange.PrepareComputedBlocks(schema, in["config"])
	case "plan":
		c.compare(t, schema, objchange.AssertPlanValid(schema, in["prior"], in["config"], in["planned"]))
		return
	case "replan":
		c.compare(t, schema, objchange.AssertPlanConsistent(schema, in["initial"], in["final"]))
		return
	case "apply":
		c.compare(t, schema, objchange.AssertApplyConsistent(schema, in["planned"], in["applied"]))
		return
	default:
		t.Fatalf("unknown operation %q", c.Op)
	}
	want := c.want()
	if want.Panic != nil || want.Skip != nil {
		return
	}
	if err != nil {
		t.Fatalf("%s: %s", c.Op, err)
	}
	if wanted := decodeVector(t, schema, want.Value); !wanted.RawEquals(got) {
		for name, v := range in {
			t.Logf("%s: %#v", name, v)
		}
		t.Errorf("%s\n got %#v\nwant %#v", c.Op, got, wanted)
	}
}

// compare holds the enforced violations to the recorded errors.
func (c vectorCase) compare(t *testing.T, schema *objchange.Block, found objchange.Violations) {
	want := c.want()
	if want.Panic != nil || want.Skip != nil {
		return
	}
	got := []string{}
	for _, v := range found.Enforced() {
		got = append(got, objchange.PathString(v.Path)+" "+string(v.Rule))
	}
	wanted := []string{}
	for _, e := range want.Errors {
		wanted = append(wanted, e.Path+" "+e.Rule)
	}
	slices.Sort(got)
	slices.Sort(wanted)
	got, wanted = slices.Compact(got), slices.Compact(wanted)
	switch {
	case hasComputedBlock(schema):
		// Core loses the paths, and stops at the first.
		if (len(got) == 0) != (len(wanted) == 0) {
			t.Errorf("%s: got %q, want %q", c.Op, got, wanted)
		}
	case c.Op == "apply":
		// Core stops at the first kind of problem.
		if (len(got) == 0) != (len(wanted) == 0) {
			t.Errorf("got %q, want %q", got, wanted)
		}
		for _, w := range wanted {
			if !slices.Contains(got, w) {
				t.Errorf("got %q, which lacks %q", got, w)
			}
		}
	default:
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", c.Op, diff, found.Err())
		}
	}
}

func hasComputedBlock(b *objchange.Block) bool {
	for _, nb := range b.BlockTypes {
		if nb.Computed || hasComputedBlock(&nb.Block) {
			return true
		}
	}
	return false
}

func decodeVector(t *testing.T, schema *objchange.Block, encoded string) cty.Value {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	v, err := msgpack.Unmarshal(raw, schema.ImpliedType())
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", strings.TrimSpace(encoded), err))
	}
	return v
}
