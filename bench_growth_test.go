package objchange_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// A growthCase is an operation on values of some size. Its time must grow linearly with the size.
// The measurements of one size and the doubled size alternate. The metric ×2 is the ratio of
// the times for each doubling. The time of cty for sorting sets grows by a factor of 2.1 to
// 2.3.
type growthCase struct {
	name  string
	make  func(n int) func()
	sizes []int
}

func growthCases() []growthCase {
	return []growthCase{
		{"RequiredReplace/setElements", replaceSetElements, []int{64, 128, 256, 512}},
		{"IgnoreChanges/keys", ignoreKeys, []int{250, 500, 1000, 2000}},
		{"TypeMismatch/deep", deepMismatch, []int{250, 500, 1000, 2000}},
		{"TypeMismatch/deepInDynamic", deepTypeChange, []int{250, 500, 1000, 2000}},
		{"WideSchema/blocks", wideSchema(configschema.NestingList, Attrs{}), []int{500, 1000, 2000, 4000}},
		{"WideSchema/80000", wideSchemaOf(80_000), []int{500, 1000, 2000, 4000}},
		{"MapKeys/ProposedNew", mapKeys(NoStr, proposeAlike), []int{64, 128, 256, 512}},
		{"MapKeys/AssertApplyConsistent", mapKeys(UnknownStr, applyAlike), []int{64, 128, 256, 512}},
		{"RefinedSets/AssertPlanConsistent", refinedSets, []int{500, 1000, 2000, 4000}},
		{"AllDiffer/map", allDiffer, []int{1000, 2000, 4000}},
	}
}

func BenchmarkGrowth(b *testing.B) {
	for _, c := range growthCases() {
		for _, n := range sizes(c.sizes) {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				once, twice := c.make(n), c.make(2*n)
				var short, long time.Duration
				for b.Loop() {
					start := time.Now()
					once()
					middle := time.Now()
					twice()
					short += middle.Sub(start)
					long += time.Since(middle)
				}
				b.ReportMetric(float64(short.Nanoseconds())/float64(b.N), "ns/op")
				b.ReportMetric(float64(long)/float64(short), "×2")
			})
		}
	}
}

// allDiffer returns a check of a map in which all elements differ, so there are n faults.
func allDiffer(n int) func() {
	schema, was, now := Compiled(SchemaOf(Attr(cty.Map(cty.String), "optional"))), Obj{}, Obj{}
	for i := range n {
		was[strconv.Itoa(i)], now[strconv.Itoa(i)] = Str("a"), Str("b")
	}
	return func() {
		if found := objchange.AssertPlanConsistent(schema, ObjectOf(MapOf(was)), ObjectOf(MapOf(now))); len(found) != n {
			panic(found.Err())
		}
	}
}

// valuesOf returns n values.
func valuesOf(n int, value func(i int) cty.Value) []cty.Value {
	vals := make([]cty.Value, n)
	for i := range vals {
		vals[i] = value(i)
	}
	return vals
}

func named(prefix string, i int) cty.Value { return Str(prefix + strconv.Itoa(i)) }

// replaceSetElements requires replacement for each element of a set.
func replaceSetElements(n int) func() {
	schema := SchemaOfBlock(Block(configschema.NestingSet, ItemAttrs))
	prior := valuesOf(n, func(i int) cty.Value { return Item(named("id", i), named("n", i)) })
	planned := valuesOf(n, func(i int) cty.Value { return Item(UnknownStr, named("n", i)) })
	var paths []cty.Path
	for i := range n {
		paths = append(paths, PathToV.Copy().Index(prior[i]).GetAttr("name"), PathToV.Copy().Index(planned[i]))
	}
	before, after := ObjectOf(Set(prior...)), ObjectOf(Set(planned...))
	return func() {
		if required, _ := objchange.RequiredReplace(Compiled(schema), before, after, paths); len(required) != 2*n {
			panic(len(required))
		}
	}
}

// ignoreKeys ignores changes of many tags. Some of them are only in one value.
func ignoreKeys(n int) func() {
	tags := func(from int, value string) cty.Value {
		tags := Obj{}
		for i := range n {
			tags["t"+strconv.Itoa(from+i)] = named(value, i)
		}
		return ObjectOf(MapOf(tags))
	}
	return ignoringEach(n, SchemaOf(Attr(cty.Map(cty.String), "optional")), tags(0, "a"), tags(1, "b"), func(i int) cty.Path {
		return PathToV.Copy().Index(named("t", i))
	})
}

func ignoringEach(n int, schema *configschema.Block, prior, config cty.Value, path func(i int) cty.Path) func() {
	var paths []cty.Path
	for i := range n {
		paths = append(paths, path(i))
	}
	return func() {
		if _, err := objchange.IgnoreChanges(Compiled(schema), prior, config, paths); err != nil {
			panic(err)
		}
	}
}

// deepMismatch has a value whose type differs from the schema deep inside.
func deepMismatch(n int) func() {
	schema, v := SchemaOf(Attr(deepIn(n, Str("a")).Type(), "optional")), ObjectOf(deepIn(n, Num(1)))
	return func() {
		if found := objchange.AssertStateValid(Compiled(schema), v); len(found) != 1 {
			panic(found.Err())
		}
	}
}

// deepTypeChange has an unknown value that gets another type than planned, deep inside.
func deepTypeChange(n int) func() {
	schema := SchemaOf(Attr(cty.DynamicPseudoType, "optional"))
	was, now := ObjectOf(deepIn(n, UnknownStr)), ObjectOf(deepIn(n, Num(1)))
	return func() {
		if found := objchange.AssertPlanConsistent(Compiled(schema), was, now); len(found) != 1 {
			panic(found.Err())
		}
	}
}

// deepIn returns a value inside the given number of nested objects.
func deepIn(levels int, v cty.Value) cty.Value {
	for range levels {
		v = Object(Obj{"in": v})
	}
	return v
}

// wideSchema has many blocks. Each of them may contain blocks with many attributes, but
// contains none. Another part of the schema is sensitive or dynamic.
func wideSchema(mode configschema.NestingMode, more Attrs) func(n int) func() {
	return func(n int) func() { return wideBlocks(n, n, mode, more) }
}

// wideSchemaOf is like wideSchema, with the given number of attributes and any number of
// blocks.
func wideSchemaOf(width int) func(n int) func() {
	return func(n int) func() { return wideBlocks(n, width, configschema.NestingList, Attrs{}) }
}

func wideBlocks(n, width int, mode configschema.NestingMode, more Attrs) func() {
	wide := Attrs{}
	for i := range width {
		wide["a"+strconv.Itoa(i)] = Attr(cty.String, "optional")
	}
	schema := SchemaOfBlock(Block(configschema.NestingList, nil, Blocks{"inner": Block(mode, wide)}))
	schema.Attributes = more
	empty := schema.BlockTypes["v"].Block.EmptyValue()
	parts := Obj{"v": List(valuesOf(n, func(int) cty.Value { return empty })...)}
	for name := range more {
		parts[name] = NoStr
	}
	v := Object(parts)
	return func() {
		wellOrPanic(objchange.AssertPlanValid(Compiled(schema), v, v, v))
		wellOrPanic(objchange.AssertApplyConsistent(Compiled(schema), v, v))
		if _, err := objchange.ProposedNew(Compiled(schema), v, v); err != nil {
			panic(err)
		}
		if _, err := objchange.Diff(Compiled(schema), v, v); err != nil {
			panic(err)
		}
	}
}

// mapKeys has elements with maps, each with a different key.
func mapKeys(id cty.Value, op func(was, now cty.Value)) func(n int) func() {
	return func(n int) func() {
		elems := func(id cty.Value) cty.Value {
			return ObjectOf(Set(valuesOf(n, func(i int) cty.Value {
				return SimilarElement(Obj{"m": MapOf(Obj{"k" + strconv.Itoa(i): Item(id, Str("n"))})})
			})...))
		}
		was, now := elems(id), elems(Str("1"))
		return func() { op(was, now) }
	}
}

func proposeAlike(config, prior cty.Value) {
	if v, err := objchange.ProposedNew(Compiled(SimilarSchema), prior, config); err != nil || !v.RawEquals(prior) {
		panic(err)
	}
}

func applyAlike(was, now cty.Value) {
	wellOrPanic(objchange.AssertApplyConsistent(Compiled(SimilarSchema), was, now))
}

// refinedSets has unknown elements, each with a different prefix.
func refinedSets(n int) func() {
	schema := SchemaOf(Attr(cty.Set(cty.String), "optional"))
	elems, known := refinedUnknowns(n)
	was, now := ObjectOf(cty.SetVal(elems)), ObjectOf(cty.SetVal(known))
	return func() { wellOrPanic(objchange.AssertPlanConsistent(Compiled(schema), was, now)) }
}
