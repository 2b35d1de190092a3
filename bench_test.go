package objchange_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// The benchmarks report the time of each operation as a ratio to the time of cty for the same
// values. Both are measured alternately in the same run:
//
//	×R  applied.RawEquals(applied), for values without sets
//	×S  AsValueSlice of each set argument once, and cty.SetVal of the result
//	    if the operation returns one
//
// See docs/benchmarks.md.

// A scenario has the values of one change of a resource with n elements. One element in ten is
// configured differently than before.
type scenario struct {
	schema                          *objchange.Schema
	prior, config, planned, applied cty.Value
	sets                            bool // the reference is S
}

// A shape makes scenarios.
type shape struct {
	name  string
	make  func(n int) scenario
	sizes []int
}

var (
	small = []int{10, 100, 1000}
	large = []int{10, 100, 1000, 10_000}
)

func shapes() []shape {
	return []shape{
		{"list/blocks", collection(configschema.NestingList, true, plainElement), large},
		{"list/attributes", collection(configschema.NestingList, false, plainElement), large},
		{"map/blocks", collection(configschema.NestingMap, true, plainElement), large},
		{"map/attributes", collection(configschema.NestingMap, false, plainElement), large},
		{"set/blocks", collection(configschema.NestingSet, true, plainElement), small},
		{"set/attributes", collection(configschema.NestingSet, false, plainElement), small},
		{"set/belowList", collection(configschema.NestingSet, true, below(configschema.NestingList)), small},
		{"flat/string", flat(cty.String, func(i int) cty.Value { return Str(strconv.Itoa(i)) }), []int{30, 150}},
		{"flat/number", flat(cty.Number, func(i int) cty.Value { return Num(int64(i)) }), []int{30, 150}},
		{"flat/bool", flat(cty.Bool, func(i int) cty.Value { return cty.BoolVal(i%2 == 0) }), []int{30, 150}},
		{"deep", deep, []int{8}},
	}
}

// An operation is a measured function, with the arguments whose sets the reference S lists.
type operation struct {
	name       string
	makesValue bool
	call       func(scenario) error
	arguments  func(scenario) []cty.Value
}

var operations = []operation{
	{"ProposedNew", true, func(s scenario) error {
		_, err := objchange.ProposedNew(s.schema, s.prior, s.config)
		return err
	}, func(s scenario) []cty.Value { return []cty.Value{s.prior, s.config} }},
	{"AssertPlanValid", false, func(s scenario) error {
		return objchange.AssertPlanValid(s.schema, s.prior, s.config, s.planned).Err()
	}, func(s scenario) []cty.Value { return []cty.Value{s.prior, s.config, s.planned} }},
	{"AssertPlanConsistent", false, func(s scenario) error {
		return objchange.AssertPlanConsistent(s.schema, s.planned, s.applied).Err()
	}, func(s scenario) []cty.Value { return []cty.Value{s.planned, s.applied} }},
	{"AssertApplyConsistent", false, func(s scenario) error {
		return objchange.AssertApplyConsistent(s.schema, s.planned, s.applied).Err()
	}, func(s scenario) []cty.Value { return []cty.Value{s.planned, s.applied} }},
	{"AssertStateValid", false, func(s scenario) error {
		return objchange.AssertStateValid(s.schema, s.applied).Err()
	}, func(s scenario) []cty.Value { return []cty.Value{s.applied} }},
	{"AssertConfigValid", false, func(s scenario) error {
		return objchange.AssertConfigValid(s.schema, s.config).Err()
	}, func(s scenario) []cty.Value { return []cty.Value{s.config} }},
	{"AssertConfigConsistent", false, func(s scenario) error {
		return objchange.AssertConfigConsistent(s.schema, s.config, s.config).Err()
	}, func(s scenario) []cty.Value { return []cty.Value{s.config, s.config} }},
	{"Diff", false, func(s scenario) error {
		_, err := objchange.Diff(s.schema, s.prior, s.planned)
		return err
	}, func(s scenario) []cty.Value { return []cty.Value{s.prior, s.planned} }},
}

// BenchmarkCompile compiles a schema of 150 attributes.
func BenchmarkCompile(b *testing.B) {
	block := &configschema.Block{Attributes: Attrs{}}
	for i := range 150 {
		block.Attributes["a"+strconv.Itoa(i)] = Attr(cty.String, "optional computed")
	}
	b.ReportAllocs()
	for b.Loop() {
		Compiled(block)
	}
}

func wellOrPanic(vs objchange.Violations) {
	if vs != nil {
		panic(vs.Err())
	}
}

// sizes returns the sizes to measure. Short tests omit the large sizes, because they only check
// that the benchmarks run.
func sizes(all []int) []int {
	if testing.Short() {
		return slices.DeleteFunc(slices.Clone(all), func(n int) bool { return n > 500 })
	}
	return all
}

// BenchmarkFunctions measures each operation and its reference for each shape and size.
func BenchmarkFunctions(b *testing.B) {
	for _, op := range operations {
		for _, sh := range shapes() {
			for _, n := range sizes(sh.sizes) {
				b.Run(fmt.Sprintf("%s/%s/%d", op.name, sh.name, n), func(b *testing.B) { op.measure(b, sh.make(n)) })
			}
		}
	}
}

func (op operation) measure(b *testing.B, s scenario) {
	unit, yardstick := "×R", func() { s.applied.RawEquals(s.applied) }
	if s.sets {
		unit, yardstick = "×S", rangeSets(op.arguments(s), op.makesValue)
	}
	allocs := testing.AllocsPerRun(1, func() { _ = op.call(s) })
	var spent, yard time.Duration
	for b.Loop() {
		start := time.Now()
		yardstick()
		middle := time.Now()
		if err := op.call(s); err != nil {
			b.Fatal(err)
		}
		spent += time.Since(middle)
		yard += middle.Sub(start)
	}
	b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "ns/op")
	b.ReportMetric(float64(spent)/float64(yard), unit)
	b.ReportMetric(allocs, "allocs")
}

// rangeSets is the reference S.
func rangeSets(args []cty.Value, makesValue bool) func() {
	return func() {
		var elems []cty.Value
		for _, arg := range args {
			elems = arg.GetAttr("rule").AsValueSlice()
		}
		if makesValue {
			cty.SetVal(elems)
		}
	}
}

// An element has the schema of the n elements of a scenario, and makes their values.
type element struct {
	attrs  Attrs
	blocks Blocks
	values func(i int, configured, changed bool) Obj
}

// collection makes scenarios with n elements in a nested block or attribute.
func collection(mode configschema.NestingMode, isBlock bool, e element) func(int) scenario {
	return func(n int) scenario {
		schema := &configschema.Block{}
		if isBlock {
			schema.BlockTypes = Blocks{"rule": Block(mode, e.attrs, e.blocks)}
		} else {
			schema.Attributes = Attrs{"rule": Nested(mode, "optional", e.attrs)}
		}
		s := scenario{schema: Compiled(schema), sets: mode == configschema.NestingSet}
		value := func(configured bool, changed func(int) bool) cty.Value {
			elems := make([]cty.Value, n)
			for i := range elems {
				elems[i] = Object(e.values(i, configured, changed(i)))
			}
			return Object(Obj{"rule": gather(mode, elems)})
		}
		never, some := func(int) bool { return false }, func(i int) bool { return i%10 == 0 }
		s.prior, s.config = value(false, never), value(true, some)
		s.applied = value(false, some)
		s.planned = plan(s)
		return s
	}
}

func gather(mode configschema.NestingMode, elems []cty.Value) cty.Value {
	switch mode {
	case configschema.NestingSet:
		return Set(elems...)
	case configschema.NestingMap:
		named := Obj{}
		for i, elem := range elems {
			named["key"+strconv.Itoa(i)] = elem
		}
		return MapOf(named)
	}
	return List(elems...)
}

func plan(s scenario) cty.Value {
	proposed, err := objchange.ProposedNew(s.schema, s.prior, s.config)
	if err != nil {
		panic(err)
	}
	planned, err := objchange.PlanComputed(s.schema, proposed)
	if err != nil {
		panic(err)
	}
	return planned
}

// plainElement has nine attributes. The provider chooses one of them.
var plainElement = element{
	attrs: Attrs{
		"id":      Attr(cty.String, "computed"),
		"name":    Attr(cty.String, "required"),
		"zone":    Attr(cty.String, "optional"),
		"note":    Attr(cty.String, "optional computed"),
		"port":    Attr(cty.Number, "optional"),
		"weight":  Attr(cty.Number, "optional"),
		"enabled": Attr(cty.Bool, "optional"),
		"public":  Attr(cty.Bool, "optional"),
		"labels":  Attr(cty.List(cty.String), "optional"),
	},
	values: plainValues,
}

func plainValues(i int, configured, changed bool) Obj {
	name := strconv.Itoa(i)
	v := Obj{
		"id":      Str("id-" + name),
		"name":    Str("name-" + name),
		"zone":    Str("zone-" + strconv.Itoa(i%3)),
		"note":    Str("a note on " + name),
		"port":    Num(int64(1000 + i)),
		"weight":  cty.NumberFloatVal(float64(i) / 4),
		"enabled": cty.BoolVal(i%2 == 0),
		"public":  cty.False,
		"labels":  List(Str("a"), Str("b")),
	}
	if configured {
		v["id"] = NoStr
	}
	if changed {
		v["weight"] = Num(-1)
	}
	return v
}

// below makes elements that differ only inside a nested block.
func below(mode configschema.NestingMode) element {
	inner := Attrs{"id": Attr(cty.String, "computed"), "port": Attr(cty.Number, "optional"), "name": Attr(cty.String, "optional")}
	return element{
		attrs:  plainElement.attrs,
		blocks: Blocks{"inner": Block(mode, inner)},
		values: func(i int, configured, changed bool) Obj {
			v := plainValues(0, configured, false)
			port := int64(i)
			if changed {
				port = -port - 1
			}
			in := Obj{"id": Str("id"), "port": Num(port), "name": Str("n")}
			if configured {
				in["id"] = NoStr
			}
			v["inner"] = Object(in)
			if mode != configschema.NestingSingle {
				v["inner"] = gather(mode, []cty.Value{Object(in)})
			}
			return v
		},
	}
}

// flat makes an object with n valid attributes of one type.
func flat(ty cty.Type, value func(int) cty.Value) func(int) scenario {
	return func(n int) scenario {
		all, values := Attrs{}, Obj{}
		for i := range n {
			name := "attribute_" + strconv.Itoa(i)
			all[name] = Attr(ty, "optional computed")
			values[name] = value(i)
		}
		v := Object(values)
		return scenario{schema: Compiled(&configschema.Block{Attributes: all}), prior: v, config: v, planned: v, applied: v}
	}
}

// deep makes single blocks and lists of blocks, nested to the given number of levels.
func deep(levels int) scenario {
	schema := &configschema.Block{Attributes: plainElement.attrs}
	value := func(configured bool) Obj { return plainValues(0, configured, false) }
	prior, config := value(false), value(true)
	for i := range levels {
		nb := &configschema.NestedBlock{Nesting: configschema.NestingSingle, Block: *schema}
		p, c := Object(prior), Object(config)
		if i%2 == 0 {
			nb.Nesting, p, c = configschema.NestingList, List(p), List(c)
		}
		schema = &configschema.Block{Attributes: plainElement.attrs, BlockTypes: Blocks{"inner": nb}}
		prior, config = value(false), value(true)
		prior["inner"], config["inner"] = p, c
	}
	s := scenario{schema: Compiled(schema), prior: Object(prior), config: Object(config)}
	s.planned = plan(s)
	s.applied = s.prior
	return s
}
