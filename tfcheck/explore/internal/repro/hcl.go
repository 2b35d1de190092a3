// Package repro prints scenarios as Terraform configurations, commands and Go tests.
package repro

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// A Naming contains the names of the provider in configurations.
type Naming struct {
	// address is the source address, with or without the host. If it is empty, Terraform infers the
	// address from the type name.
	Address string
	// name is the provider's local name. The default is the prefix of the type name.
	Name string
	// schema is the schema of the provider's own configuration, or nil if it has none.
	Schema *objchange.Schema
	// hides reports whether the value of a sensitive attribute must not be shown, because it comes
	// from the user. If hides is nil, all values are shown.
	Hides func(typeName, slot string) bool
	// protocol is the protocol version, 5 or 6. Zero means 6.
	Protocol int
	// user is an accepted scenario that uses the provider. Terraform sends no requests to an unused
	// provider.
	User *scenario.Scenario
}

const Implied = "registry.terraform.io/hashicorp/"

// Local returns the provider's local name in a configuration.
func (n Naming) Local(typeName string) string {
	if n.Address != "" {
		return n.Address[strings.LastIndexByte(n.Address, '/')+1:]
	}
	prefix, _, _ := strings.Cut(typeName, "_")
	return cmp.Or(n.Name, prefix)
}

// Source returns the source address in its short form, or "" if it can be omitted.
func (n Naming) Source() string {
	address := n.Address
	if strings.Count(address, "/") == 1 {
		address = "registry.terraform.io/" + address
	}
	if name, ok := strings.CutPrefix(address, Implied); ok && !strings.Contains(name, "/") {
		return ""
	}
	return strings.TrimPrefix(address, "registry.terraform.io/")
}

// Full returns the full source address, including the host.
func (n Naming) Full() string {
	switch strings.Count(n.Address, "/") {
	case 2:
		return n.Address
	case 1:
		return "registry.terraform.io/" + n.Address
	}
	return Implied + n.Local("")
}

// HCL returns the scenario as a formatted Terraform configuration. It includes the provider's block
// if that block sets anything. Values that become known during apply come from a terraform_data
// resource. The configuration is exact if Terraform sends the values of the scenario to the
// provider. Otherwise a comment at the top lists the values that HCL cannot express.
func HCL(s scenario.Scenario, n Naming) (text string, exact bool) {
	w, name, user := &hclWriter{Naming: n, turn: s.Turn}, n.Local(s.TypeName), &s
	schema, config, then := n.Schema, s.Provider, s.Provider
	if s.Kind == scenario.Configuration {
		schema, config, then, user = s.Schema, s.Config, s.Then, n.User
	}
	var blocks []string
	if schema != nil && config != cty.NilVal {
		if body := w.object(string(scenario.Configuration), schema, config, then); body != "" || s.Kind == scenario.Configuration {
			blocks = append(blocks, hclBlock("provider "+Quoted(name), body))
		}
	}
	switch {
	case s.Kind == scenario.Function:
		blocks = append(blocks, w.call(s, name))
	case user != nil:
		blocks = append(blocks, w.resource(*user))
	default:
		w.notes = append(w.notes, "Not exact: Terraform configures a provider only if a resource or data source uses it")
	}
	text = strings.Join(slices.Concat(w.head(name), blocks), "\n")
	return string(hclwrite.Format([]byte(text))), len(w.notes) == 0
}

// The names of the explored resource and of a resource that provides values. A configuration
// contains at most one resource of a type that provides values.
const (
	ExampleName = "example"
	otherName   = "other"
)

// resource writes the block of a resource or data source, after the blocks of the resources that
// provide values.
func (w *hclWriter) resource(s scenario.Scenario) string {
	w.needs = s.Needs
	body := w.using(s.TypeName, w.object(s.TypeName, s.Schema, s.Config, s.Then))
	block := hclBlock(fmt.Sprintf("%s %q %q", s.Kind, s.TypeName, ExampleName), body)
	return strings.Join(append(w.others, block), "\n")
}

// using returns the body of a resource with the provider argument, unless Terraform infers the
// provider from the type.
func (w *hclWriter) using(typeName, body string) string {
	provider := w.Local(typeName)
	if prefix, _, _ := strings.Cut(typeName, "_"); provider != prefix {
		return "provider = " + provider + "\n" + body
	}
	return body
}

// call writes an output with the result of a function.
func (w *hclWriter) call(s scenario.Scenario, provider string) string {
	w.declared = true
	var args []string
	for i, a := range s.Arguments() {
		args = append(args, w.expr(scenario.Parameter(i), a.Type, a.Value, cty.NilVal))
	}
	return hclBlock(`output "result"`, fmt.Sprintf("value = provider::%s::%s%s\n", provider, s.TypeName, hclList("(", args, ")")))
}

// object writes everything that a configuration of the schema sets.
func (w *hclWriter) object(scope string, schema *objchange.Schema, v, then cty.Value) string {
	w.scope = scope
	return w.body("", schema.Block().Attributes, schema.Block().BlockTypes, v, then)
}

// An hclWriter writes values as HCL. It also collects the other parts of the configuration that
// these values need.
type hclWriter struct {
	Naming
	turn     int      // turn of the scenario
	scope    string   // the type name, or Configuration
	declared bool     // the provider must be declared
	late     []string // arguments that become known during apply
	named    map[string]bool
	vars     []variable
	notes    []string
	needs    []*scenario.Need
	others   []string // resources that provide values
	origins  []*scenario.Origin
}

// A variable stands for a value that must not be shown.
type variable struct {
	name string
	ty   cty.Type
}

// head writes the parts of the configuration that come before the provider and the resource.
func (w *hclWriter) head(name string) (blocks []string) {
	if len(w.notes) > 0 {
		blocks = append(blocks, "# "+strings.Join(w.notes, "\n# ")+"\n")
	}
	source := w.Source()
	if source == "" && w.declared { // functions need the declaration
		source = "hashicorp/" + name
	}
	if source != "" {
		required := hclBlock("required_providers", name+" = { source = "+Quoted(source)+" }\n")
		blocks = append(blocks, hclBlock("terraform", required))
	}
	for _, v := range w.vars {
		blocks = append(blocks, hclBlock("variable "+Quoted(v.name), "type = "+typeexpr.TypeString(v.ty.WithoutOptionalAttributesDeep())+"\nsensitive = true\n"))
	}
	if len(w.late) > 0 {
		body := "input = " + hclList("{", w.late, "}") + "\n"
		if w.turn > 0 { // earlier steps may have made the output known
			body += fmt.Sprintf("triggers_replace = %d\n", w.turn)
		}
		blocks = append(blocks, "# Its output is unknown until apply.\n"+hclBlock(`resource "terraform_data" "unknown"`, body))
	}
	return blocks
}

// note records a value that HCL cannot express.
func (w *hclWriter) note(slot, format string, args ...any) {
	if note := "Not exact: " + slot + " " + fmt.Sprintf(format, args...); !slices.Contains(w.notes, note) {
		w.notes = append(w.notes, note)
	}
}

// unique returns a name for the slot that is unique among the names with the prefix.
func (w *hclWriter) unique(prefix, slot string) string {
	base := slot[strings.LastIndexByte(slot, '.')+1:]
	name := base
	for i := 2; w.named[prefix+name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	if w.named == nil {
		w.named = map[string]bool{}
	}
	w.named[prefix+name] = true
	return name
}

// body writes the content of an object: arguments first, then blocks.
func (w *hclWriter) body(slot string, attrs map[string]*configschema.Attribute, blocks map[string]*configschema.NestedBlock, v, then cty.Value) string {
	var b strings.Builder
	for _, arg := range w.arguments(slot, attrs, v, then) {
		b.WriteString(arg + "\n")
	}
	last := ""
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		for _, block := range w.blocks(scenario.Below(slot, name), name, blocks[name], v.GetAttr(name), part(then, name)) {
			if short := strings.HasSuffix(last, "{}\n") && strings.HasSuffix(block, "{}\n"); b.Len() > 0 && !short {
				b.WriteString("\n")
			}
			b.WriteString(block)
			last = block
		}
	}
	return b.String()
}

// arguments writes the attributes that are set, each as NAME = VALUE.
func (w *hclWriter) arguments(slot string, attrs map[string]*configschema.Attribute, v, then cty.Value) (args []string) {
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		a, at, value := attrs[name], scenario.Below(slot, name), v.GetAttr(name)
		if ty := a.ImpliedType(); value.IsKnown() && value.IsNull() && (ty != cty.DynamicPseudoType || value.Type() == ty) {
			if !value.Type().Equals(ty) {
				w.null(at, ty, value.Type())
			}
			continue
		}
		args = append(args, hclKey(name)+" = "+w.attribute(at, a, value, part(then, name)))
	}
	return args
}

func (w *hclWriter) attribute(slot string, a *configschema.Attribute, v, then cty.Value) string {
	nested := a.NestedType
	switch ref := w.reference(slot, v, then); {
	case ref != "":
		return ref
	case !v.IsKnown():
		return w.unknown(slot, a.ImpliedType(), v, then, func(v cty.Value) string { return w.attribute(slot, a, v, cty.NilVal) })
	case !v.IsNull() && w.Hides != nil && (a.Sensitive || a.WriteOnly) && w.Hides(w.scope, slot):
		return w.variable(slot, a.ImpliedType(), v)
	case nested == nil || v.IsNull():
		return w.expr(slot, a.ImpliedType(), v, then)
	case nested.Nesting.Single():
		return w.nested(slot, nested.Attributes, v, then)
	}
	return w.elements(slot, a.ImpliedType(), v, then, func(_ int, _ string, v, then cty.Value) string {
		return w.nested(slot, nested.Attributes, v, then)
	})
}

// reference writes a reference to a value that another resource provides. It returns "" for other
// values.
func (w *hclWriter) reference(slot string, v, then cty.Value) string {
	n := scenario.Provided(w.needs, slot, v)
	if n == nil || then != cty.NilVal && !v.IsKnown() && then.IsKnown() {
		return ""
	}
	return fmt.Sprintf("%s.%s.%s", n.Of.TypeName, w.origin(n.Of), n.Attr)
}

// origin writes a resource that provides values, and returns its name.
func (w *hclWriter) origin(of *scenario.Origin) string {
	if slices.Contains(w.origins, of) {
		return otherName
	}
	w.origins = append(w.origins, of)
	scope, needs := w.scope, w.needs
	w.needs = of.Needs
	body := w.object(of.TypeName, of.Schema, of.Config, cty.NilVal)
	w.scope, w.needs = scope, needs
	w.others = append(w.others, hclBlock(fmt.Sprintf("resource %q %q", of.TypeName, otherName), w.using(of.TypeName, body)))
	return otherName
}

// nested writes an object of a nested attribute.
func (w *hclWriter) nested(slot string, attrs map[string]*configschema.Attribute, v, then cty.Value) string {
	switch {
	case !v.IsKnown():
		return w.unknown(slot, v.Type(), v, then, func(v cty.Value) string { return w.nested(slot, attrs, v, cty.NilVal) })
	case v.IsNull():
		return w.expr(slot, v.Type(), v, then)
	}
	return hclList("{", w.arguments(slot, attrs, v, then), "}")
}

// variable writes a variable instead of a value that must not be shown.
func (w *hclWriter) variable(slot string, ty cty.Type, v cty.Value) string {
	if !v.IsWhollyKnown() {
		w.note(slot, "is partly unknown, but the variable is known")
	}
	name := w.unique("var.", slot)
	w.vars = append(w.vars, variable{name, ty})
	return "var." + name
}

// expr writes a value for a place of type ty.
func (w *hclWriter) expr(slot string, ty cty.Type, v, then cty.Value) string {
	of := v.Type()
	switch ref := w.reference(slot, v, then); {
	case ref != "":
		return ref
	case !v.IsKnown():
		return w.unknown(slot, ty, v, then, func(v cty.Value) string { return w.expr(slot, ty, v, cty.NilVal) })
	case v.IsNull():
		return w.null(slot, ty, of)
	case of == cty.String:
		return w.text(slot, v.AsString())
	case of == cty.Number:
		return string(placeholder.NumberText(v.AsBigFloat()))
	case of == cty.Bool:
		return fmt.Sprint(v.True())
	}
	text := w.elements(slot, ty, v, then, func(i int, key string, v, then cty.Value) string {
		return w.expr(slot, typeInside(ty, i, key), v, then)
	})
	if convert := conversions[kindOf(of)]; ty == cty.DynamicPseudoType && convert != "" {
		return convert + "(" + text + ")"
	}
	return text
}

// typeInside returns the type of an element or attribute of ty.
func typeInside(ty cty.Type, i int, key string) cty.Type {
	switch {
	case ty.IsCollectionType():
		return ty.ElementType()
	case ty.IsTupleType():
		return ty.TupleElementType(i)
	case ty.IsObjectType():
		return ty.AttributeType(key)
	}
	return cty.DynamicPseudoType
}

// conversions maps kinds of types to the functions that convert a literal to the type.
var conversions = map[string]string{
	"list": "tolist", "set": "toset", "map": "tomap", "string": "tostring", "number": "tonumber", "bool": "tobool",
}

func kindOf(ty cty.Type) string {
	switch {
	case ty.IsListType():
		return "list"
	case ty.IsSetType():
		return "set"
	case ty.IsMapType():
		return "map"
	case ty.IsPrimitiveType():
		return ty.FriendlyName()
	}
	return ""
}

// null writes null. It includes the type of the null value if the place accepts any type.
func (w *hclWriter) null(slot string, ty, of cty.Type) string {
	switch {
	case ty == cty.DynamicPseudoType && of.IsPrimitiveType():
		return conversions[kindOf(of)] + "(null)"
	case ty.HasDynamicTypes() && !of.Equals(ty):
		w.note(slot, "is null, and HCL cannot express the type of the null: %s", of.FriendlyName())
	}
	return "null"
}

// elements writes the elements or attributes of a value for a place of type ty.
func (w *hclWriter) elements(slot string, ty cty.Type, v, then cty.Value, element func(i int, key string, v, then cty.Value) string) string {
	var all []string
	if of := v.Type(); ty.HasDynamicTypes() && !of.HasDynamicTypes() && of.IsCollectionType() && v.LengthInt() == 0 {
		w.note(slot, "is empty, and HCL cannot express its type: %s", of.FriendlyName())
	}
	keyed := v.Type().IsMapType() || v.Type().IsObjectType()
	for i, e := range pairs(v, then) {
		text := element(i, e.key, e.value, e.then)
		if keyed {
			text = hclKey(e.key) + " = " + text
		}
		all = append(all, text)
	}
	if keyed {
		return hclList("{", all, "}")
	}
	return hclList("[", all, "]")
}

func (w *hclWriter) text(slot, s string) string {
	if !utf8.ValidString(s) {
		w.note(slot, "has bytes that are not UTF-8, which HCL cannot express: %.60q", s)
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return Quoted(s)
}

// lateOutput is the prefix of references to values that become known during apply.
const lateOutput = "terraform_data.unknown.output."

// unknown writes a value that becomes known during apply. The function known writes the later
// value.
func (w *hclWriter) unknown(slot string, ty cty.Type, v, then cty.Value, known func(v cty.Value) string) string {
	if !v.RawEquals(cty.UnknownVal(v.Type())) {
		w.note(slot, "is unknown with refinements, but Terraform sends an unknown value without refinements")
	}
	if then == cty.NilVal || !then.IsWhollyKnown() {
		then = sample(v.Type())
	}
	name := w.unique(lateOutput, slot)
	value, ref := known(then), lateOutput+name
	switch of := v.Type(); {
	case of == cty.DynamicPseudoType || of.IsCollectionType() && !of.ElementType().IsPrimitiveType() && !then.IsNull():
		value, ref = "jsonencode("+value+")", "jsondecode("+ref+")"
	case of.IsCollectionType() && ty != cty.DynamicPseudoType && !then.IsNull():
		value = conversions[kindOf(of)] + "(" + value + ")" // otherwise Terraform promises the length of the literal
	}
	w.late = append(w.late, name+" = "+value)
	return ref
}

// sample returns an arbitrary value of the type.
func sample(ty cty.Type) cty.Value {
	switch ty {
	case cty.String:
		return cty.StringVal("any")
	case cty.Number:
		return cty.NumberIntVal(1)
	case cty.Bool:
		return cty.True
	}
	return cty.NullVal(ty)
}

// hclBlock writes a block. The body consists of whole lines.
func hclBlock(header, body string) string {
	if body == "" {
		return header + " {}\n"
	}
	return header + " {\n" + body + "}\n"
}

// oneLine is the maximum length of a collection that is written on one line.
const oneLine = 60

// hclList writes the elements of a collection, or of an object.
func hclList(open string, all []string, end string) string {
	text := strings.Join(all, ", ")
	switch {
	case len(text) > oneLine || strings.Contains(text, "\n"):
		if open == "{" {
			return open + "\n" + strings.Join(all, "\n") + "\n" + end
		}
		return open + "\n" + strings.Join(all, ",\n") + ",\n" + end
	case open == "{" && text != "":
		return open + " " + text + " " + end
	}
	return open + text + end
}

func Quoted(s string) string { return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes()) }

// hclKey writes the key of an object or map.
func hclKey(key string) string {
	if hclsyntax.ValidIdentifier(key) && !slices.Contains([]string{"for", "null", "true", "false"}, key) {
		return key
	}
	return Quoted(strings.ToValidUTF8(key, "\ufffd"))
}

// A pair is an element of a collection, and its value during apply.
type pair struct {
	key         string
	value, then cty.Value
}

// pairs returns the elements or attributes of a value, in order. Each has the value that it becomes
// during apply, or cty.NilVal. In a set, known elements come first.
func pairs(v, then cty.Value) (all []pair) {
	continues := then != cty.NilVal && then.IsKnown() && !then.IsNull() && then.CanIterateElements()
	if v.Type().IsSetType() {
		var rest []cty.Value
		if continues {
			rest = then.AsValueSlice()
		}
		return setPairs(v.AsValueSlice(), rest)
	}
	keyed := v.Type().IsMapType() || v.Type().IsObjectType()
	for key, value := range v.Elements() {
		p := pair{value: value}
		switch {
		case keyed:
			p.key = key.AsString()
			p.then = part(then, p.key)
		case continues && (then.Type().IsListType() || then.Type().IsTupleType()) && then.HasIndex(key).True():
			p.then = then.Index(key)
		}
		all = append(all, p)
	}
	return all
}

// setPairs pairs each element of a set with a value that it may become. It uses different values if
// possible.
func setPairs(elems, then []cty.Value) (all []pair) {
	slices.SortStableFunc(elems, func(a, b cty.Value) int { return cmp.Compare(unknowns(a), unknowns(b)) })
	rest := slices.Clone(then)
	for _, value := range elems {
		p, fits := pair{value: value}, func(v cty.Value) bool { return becomes(value, v) }
		if i := slices.IndexFunc(rest, fits); i >= 0 {
			p.then = rest[i]
			rest = slices.Delete(rest, i, i+1)
		} else if i := slices.IndexFunc(then, fits); i >= 0 {
			p.then = then[i]
		}
		all = append(all, p)
	}
	return all
}

// unknowns returns 1 if the value is not wholly known, and 0 otherwise.
func unknowns(v cty.Value) int {
	if v.IsWhollyKnown() {
		return 0
	}
	return 1
}

// part returns an attribute of an object or an element of a map. It returns cty.NilVal if there is
// no such part.
func part(v cty.Value, name string) cty.Value {
	switch {
	case v == cty.NilVal || !v.IsKnown() || v.IsNull():
	case v.Type().IsObjectType() && v.Type().HasAttribute(name):
		return v.GetAttr(name)
	case v.Type().IsMapType() && v.HasIndex(cty.StringVal(name)).True():
		return v.Index(cty.StringVal(name))
	}
	return cty.NilVal
}

// becomes reports whether v may become the value then during apply. A set that is not wholly known
// may become any value.
func becomes(v, then cty.Value) bool {
	switch {
	case v.IsWhollyKnown():
		return v.RawEquals(then)
	case !v.IsKnown() || v.Type().IsSetType():
		return true
	case then.IsNull() || v.LengthInt() != then.LengthInt():
		return false
	}
	return !slices.ContainsFunc(pairs(v, then), func(p pair) bool { return p.then == cty.NilVal || !becomes(p.value, p.then) })
}
