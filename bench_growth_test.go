package objchange_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
)

// A corner is an operation on values of some size, whose time must grow with it.
// Each doubling is measured turn by turn: ×2 says how many times as long twice
// the size takes. What cty itself takes to sort sets grows by 2.1 to 2.3.
type corner struct {
	name  string
	make  func(n int) func()
	sizes []int
}

func corners() []corner {
	return []corner{
		{"RequiredReplace/setElements", replaceSetElements, []int{64, 128, 256, 512}},
		{"RequiredReplace/intoSets", replaceIntoSets, []int{64, 128, 256, 512}},
	}
}

func BenchmarkGrowth(b *testing.B) {
	for _, c := range corners() {
		for _, n := range c.sizes {
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

// valuesOf returns n values, each of its number.
func valuesOf(n int, value func(i int) cty.Value) []cty.Value {
	vals := make([]cty.Value, n)
	for i := range vals {
		vals[i] = value(i)
	}
	return vals
}

func named(prefix string, i int) cty.Value { return str(prefix + strconv.Itoa(i)) }

// replaceSetElements: the provider names each element of a set.
func replaceSetElements(n int) func() {
	schema := schemaOfBlock(block(objchange.NestingSet, itemAttrs))
	prior := valuesOf(n, func(i int) cty.Value { return item(named("id", i), named("n", i)) })
	planned := valuesOf(n, func(i int) cty.Value { return item(unknownStr, named("n", i)) })
	var paths []cty.Path
	for i := range n {
		paths = append(paths, pathToV.Copy().Index(prior[i]).GetAttr("name"), pathToV.Copy().Index(planned[i]))
	}
	before, after := objectOf(set(prior...)), objectOf(set(planned...))
	return func() {
		if required, _ := objchange.RequiredReplace(schema, before, after, paths); len(required) != 2*n {
			panic(len(required))
		}
	}
}

// replaceIntoSets: the provider names strings in the sets of a set's elements,
// where a path leads nowhere.
func replaceIntoSets(n int) func() {
	schema := schemaOfBlock(block(objchange.NestingSet, attrs{"tags": attr(cty.Set(cty.String), "optional")}))
	elems := valuesOf(n, func(i int) cty.Value { return object(obj{"tags": set(named("t", i), named("u", i))}) })
	var paths []cty.Path
	for i, elem := range elems {
		paths = append(paths, pathToV.Copy().Index(elem).GetAttr("tags").Index(named("t", i)))
	}
	v := objectOf(set(elems...))
	return func() {
		if _, found := objchange.RequiredReplace(schema, v, v, paths); len(found) != n {
			panic(found.Err())
		}
	}
}
