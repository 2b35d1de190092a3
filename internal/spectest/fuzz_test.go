package spectest

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"

	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
)

// seed adds no bytes and 60 sequences of random bytes to the seed corpus.
func seed(f *testing.F) {
	f.Add([]byte{})
	for i := range 60 {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		data := make([]byte, 20+random.IntN(600))
		for j := range data {
			data[j] = byte(random.Uint32())
		}
		f.Add(data)
	}
}

// FuzzFunctions calls each function with hostile schemas and values. A function must not panic, and
// must return the same result twice. Only the operations of capsule types may panic inside it.
func FuzzFunctions(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		h := newHostileBuilder(data)
		schema := h.schema()
		values := h.values(schema)
		if !compiles(t, schema) {
			return
		}
		fine := schema.Validate() == nil
		for _, v := range values {
			fine = fine && isValidInput(objchange.AssertStateValid(Compiled(schema), v)) && v != cty.NilVal
		}
		for _, f := range functions {
			answer := f.run(schema, values...)
			if h.panics {
				continue
			}
			for _, v := range answer.found {
				if v.Message == internalError {
					t.Fatalf("%s: recovered a panic for the values %#v", f.name, values)
				}
			}
			equalResults(t, f.name, answer, f.run(schema, values...))
			if fine && answer.value != cty.NilVal && f.name != "Diff" {
				fuzzConforms(t, f.name, schema, answer.value)
			}
		}
	})
}

// compiles reports whether a schema compiles. It checks that Compile and Usable agree.
func compiles(t *testing.T, block *configschema.Block) bool {
	t.Helper()
	schema, err := objchange.Compile(block)
	if usable := block.Usable() == nil; usable != (err == nil) || usable != (schema != nil) {
		t.Errorf("Usable accepts the schema: %t; error of Compile: %v", usable, err)
	}
	return err == nil
}

// isValidInput reports whether a check accepted its arguments as input.
func isValidInput(vs objchange.Violations) bool {
	for _, v := range vs {
		if v.Rule == objchange.RuleInvalidInput || v.Rule == objchange.RuleTypeMismatch {
			return false
		}
	}
	return true
}

func fuzzConforms(t *testing.T, what string, schema *configschema.Block, v cty.Value) {
	t.Helper()
	for _, err := range v.Type().TestConformance(schema.ImpliedType()) {
		t.Errorf("%s: %s in %#v", what, err, v)
	}
	if vs := objchange.AssertStateValid(Compiled(schema), v); !isValidInput(vs) {
		t.Errorf("%s: %v in %#v", what, vs.Err(), v)
	}
}

// FuzzPaths calls the functions that take paths with hostile paths.
func FuzzPaths(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		h := newHostileBuilder(data)
		schema := h.schema()
		values := h.values(schema)
		paths := []cty.Path{nil, h.path(values[0]), h.path(values[1]), h.path(values[2])}
		for _, path := range paths {
			if a := schema.AttributeByPath(path); a != nil && len(path) == 0 {
				t.Errorf("the empty path returns the attribute %v", a)
			}
			if compiled, err := objchange.Compile(schema); err == nil {
				compiled.PathString(path)
			}
			v := &objchange.Violation{Rule: objchange.RulePlanAbsent, Path: path, Message: "m"}
			if text, err := json.Marshal(v); err != nil || !json.Valid(text) || !strings.HasPrefix(v.Error(), v.PathString()) {
				t.Errorf("%s: %s", v, err)
			}
		}
		if !compiles(t, schema) {
			return
		}
		for range 2 {
			ignored, err := objchange.IgnoreChanges(Compiled(schema), values[0], values[1], paths)
			required, found := objchange.RequiredReplace(Compiled(schema), values[0], values[2], paths)
			for _, v := range append(found, resultOf(ignored, err).found...) {
				if v.Message == internalError && !h.panics {
					t.Fatalf("recovered a panic for the paths %#v of the values %#v", paths, values)
				}
			}
			if len(required) > len(paths) {
				t.Errorf("RequiredReplace returned more paths than it got: paths %#v, returned %#v", paths, required)
			}
			if err == nil && !h.panics && schema.ImpliedType().IsObjectType() {
				for _, err := range ignored.Type().TestConformance(schema.ImpliedType()) {
					t.Errorf("IgnoreChanges: %s in %#v", err, ignored)
				}
			}
		}
	})
}

// FuzzSchema calls the methods of hostile schemas and checks that their results agree.
func FuzzSchema(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		h := newHostileBuilder(data)
		schema := h.schema()
		valid, known := schema.Validate() == nil, schema.ImpliedType().IsObjectType()
		if valid && !known {
			t.Error("a valid schema has no implied type")
		}
		if known {
			fuzzConforms(t, "EmptyValue", schema, schema.EmptyValue())
		}
		if schema == nil {
			return
		}
		for _, s := range locations(parts.RootOf(schema).Fields, 5) {
			if a := s.attrs[s.name]; a != nil {
				group := a.NestedType != nil && a.NestedType.Nesting == configschema.NestingGroup
				if empty := a.EmptyValue(); empty.IsNull() == (group && empty.Type() != cty.DynamicPseudoType) {
					t.Errorf("the attribute's empty value is %#v", a.EmptyValue())
				}
			}
			if nb := s.blocks[s.name]; nb != nil {
				nb.EmptyValue().Type().TestConformance(nb.ImpliedType())
			}
		}
		fuzzRoundTrip(t, schema, valid)
	})
}

// fuzzRoundTrip checks that a schema is the same after it is written as JSON and read. It does
// nothing for a schema with capsule types, which have no JSON form.
func fuzzRoundTrip(t *testing.T, schema *configschema.Block, valid bool) {
	text, err := json.Marshal(schema)
	if err != nil {
		return
	}
	var read configschema.Block
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatalf("the written schema cannot be read: %s\n%s", err, text)
	}
	if got := read.Validate() == nil; got != valid && !strings.Contains(string(text), "\\ufffd") {
		t.Errorf("the written schema is valid: %t; the read schema is valid: %t\n%s", valid, got, text)
	}
	if diff := cmp.Diff(schema, &read, cmp.Comparer(sameType), cmpopts.EquateEmpty()); diff != "" && valid && !strings.Contains(string(text), "\\ufffd") {
		t.Errorf("schema (-written +read):\n%s", diff)
	}
}

func sameType(a, b cty.Type) bool {
	return a == cty.NilType && b == cty.NilType || a != cty.NilType && b != cty.NilType && a.Equals(b)
}
