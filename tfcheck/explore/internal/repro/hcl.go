// Package repro prints scenarios as Terraform configurations, commands and Go tests.
package repro

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

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
	// Address is the source address, with or without the host. If it is empty, Terraform infers the
	// address from the type name.
	Address string
	// Name is the provider's local name. The default is the prefix of the type name.
	Name string
	// Schema is the schema of the provider's own configuration, or nil if it has none.
	Schema *objchange.Schema
	// Hides reports whether the value of a sensitive attribute must not be shown, because it comes
	// from the user. If Hides is nil, all values are shown.
	Hides func(typeName, slot string) bool
	// Hide returns a text without secrets. If it is nil, all values are shown.
	Hide func(string) string
	// Protocol is the protocol version, 5 or 6. Zero means 6.
	Protocol int
	// User is an accepted scenario that uses the provider. Terraform sends no requests to an unused
	// provider.
	User *scenario.Scenario
}

const registry = "registry.terraform.io/"

// Local returns the provider's local name in a configuration.
func (n Naming) Local(typeName string) string {
	if n.Address != "" {
		return n.Address[strings.LastIndexByte(n.Address, '/')+1:]
	}
	prefix, _, _ := strings.Cut(typeName, "_")
	return cmp.Or(n.Name, prefix)
}

// Source returns the source address. It has no host if the host is Terraform's registry.
func (n Naming) Source(typeName string) string {
	if strings.Contains(n.Address, "/") {
		return strings.TrimPrefix(n.Address, registry)
	}
	return "hashicorp/" + n.Local(typeName)
}

// Full returns the source address with the host.
func (n Naming) Full() string {
	if source := n.Source(""); strings.Count(source, "/") == 2 {
		return source
	}
	return registry + n.Source("")
}

// hclOf returns the configuration of a step as formatted HCL. It includes the provider's block if that
// block sets anything. Values that become known during apply come from a terraform_data resource. The
// configuration is exact if Terraform sends the values of the scenario to the provider. Otherwise a
// comment at the top lists the values that HCL cannot express. The argument turn is the number of
// earlier steps with unknown values, and late reports whether this step has some.
func hclOf(s scenario.Scenario, st scenario.Step, n Naming, turn int) (text string, exact, late bool) {
	file := hclwrite.NewEmptyFile()
	w := &hclWriter{naming: n, root: file.Body(), applies: st.Then != cty.NilVal, named: map[string]bool{}}
	name := n.Local(s.TypeName)
	schema, config, then := n.Schema, s.Provider, s.Provider
	if s.Kind == scenario.Configuration {
		schema, config, then = s.Schema, st.Config, st.Then
	}
	if schema != nil && config != cty.NilVal {
		all := reader{n, string(scenario.Configuration)}.settings(schema, config, then)
		if len(all) > 0 || s.Kind == scenario.Configuration {
			w.body(block(w.root, "provider", name), all)
		}
	}
	switch {
	case s.Kind == scenario.Function:
		w.call(s, name)
	case s.Kind != scenario.Configuration:
		w.example(s, st)
	case n.User != nil:
		w.example(*n.User, n.User.Last())
	default:
		w.note("Terraform configures a provider only if a resource or data source uses it")
	}
	parts := []string{strings.Join(w.notes, ""), w.head(s, turn), string(file.Bytes())}
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	text = string(hclwrite.Format([]byte(strings.Join(parts, "\n"))))
	return text, len(w.notes) == 0, len(w.late) > 0
}

// ExampleName is the name of the explored resource.
const ExampleName = "example"

// An hclWriter writes values as HCL. It also collects the other parts of the configuration that
// these values need.
type hclWriter struct {
	naming  Naming
	root    *hclwrite.Body
	applies bool                        // unknown values become known
	named   map[string]bool             // names of late
	late    []hclwrite.ObjectAttrTokens // arguments that become known during apply
	notes   []string                    // lines of comments
}

// head returns the blocks that come before the provider and the resource.
func (w *hclWriter) head(s scenario.Scenario, turn int) string {
	file := hclwrite.NewEmptyFile()
	source := w.naming.Source(s.TypeName)
	if !strings.HasPrefix(source, "hashicorp/") || s.Kind == scenario.Function { // Terraform does not infer it
		provider := cty.ObjectVal(map[string]cty.Value{"source": cty.StringVal(source)})
		block(block(file.Body(), "terraform"), "required_providers").SetAttributeValue(w.naming.Local(s.TypeName), provider)
	}
	if len(w.late) > 0 {
		body := block(file.Body(), "resource", "terraform_data", "unknown")
		body.AppendUnstructuredTokens(raw("# The output is unknown until apply.\n"))
		body.SetAttributeRaw("input", hclwrite.TokensForObject(w.late))
		if turn > 0 { // earlier steps may have made the output known
			body.SetAttributeValue("triggers_replace", cty.NumberIntVal(int64(turn)))
		}
	}
	return string(file.Bytes())
}

// example writes the block of the resource or data source. It has the provider argument, unless
// Terraform infers the provider from the type.
func (w *hclWriter) example(s scenario.Scenario, st scenario.Step) {
	body, local := block(w.root, string(s.Kind), s.TypeName, ExampleName), w.naming.Local(s.TypeName)
	if prefix, _, _ := strings.Cut(s.TypeName, "_"); local != prefix {
		body.SetAttributeRaw("provider", raw(local))
	}
	w.body(body, reader{w.naming, s.TypeName}.settings(s.Schema, st.Config, st.Then))
}

// call writes an output with the result of a function.
func (w *hclWriter) call(s scenario.Scenario, provider string) {
	var args []hclwrite.Tokens
	for _, argument := range w.naming.arguments(s) {
		args = append(args, w.expr(argument))
	}
	function := fmt.Sprintf("provider::%s::%s", provider, s.TypeName)
	block(w.root, "output", "result").SetAttributeRaw("value", hclwrite.TokensForFunctionCall(function, args...))
}

// block appends a block to a body, after an empty line, and returns the body of the block.
func block(body *hclwrite.Body, typeName string, labels ...string) *hclwrite.Body {
	if len(body.Attributes())+len(body.Blocks()) > 0 {
		body.AppendNewline()
	}
	return body.AppendNewBlock(typeName, labels).Body()
}

// raw returns an expression with the text.
func raw(text string) hclwrite.Tokens { return hclwrite.TokensForIdentifier(text) }

// note records something that HCL cannot express.
func (w *hclWriter) note(format string, args ...any) {
	if note := "# Not exact: " + fmt.Sprintf(format, args...) + "\n"; !slices.Contains(w.notes, note) {
		w.notes = append(w.notes, note)
	}
}

// body writes the content of a block.
func (w *hclWriter) body(body *hclwrite.Body, all []setting) {
	for _, s := range all {
		switch {
		case s.block == nil:
			body.SetAttributeRaw(s.key, w.expr(s))
		case s.v.IsKnown():
			w.blocks(body, s)
		default:
			w.dynamic(body, s)
		}
	}
}

// blocks writes the blocks of a block type.
func (w *hclWriter) blocks(body *hclwrite.Body, s setting) {
	for _, b := range s.blocks() {
		var labels []string
		if s.block.Nesting.Keyed() {
			labels = []string{w.valid(s.slot, b.key)}
		}
		if !b.v.IsKnown() || b.v.IsNull() {
			w.note("%s has a block that is unknown or null, which a configuration cannot express", s.slot)
			continue
		}
		w.body(block(body, s.key, labels...), b.inside)
	}
}

// dynamic writes dynamic blocks, because the number of blocks becomes known during apply. Terraform
// supports this only for lists and sets.
func (w *hclWriter) dynamic(body *hclwrite.Body, s setting) {
	if s.block.Nesting.Single() || s.block.Nesting.Keyed() {
		w.note("%s is unknown, and a configuration cannot express unknown blocks of nesting mode %s", s.slot, s.block.Nesting)
		return
	}
	blocks, over := s.later.blocks(), "[]"
	if len(blocks) > 0 {
		over = "[1]"
	}
	each := w.output(s, raw(over))
	content := func() *hclwrite.Body {
		dynamic := block(body, "dynamic", s.key)
		dynamic.SetAttributeRaw("for_each", each)
		return dynamic.AppendNewBlock("content", nil).Body()
	}
	for _, b := range blocks {
		w.body(content(), b.inside)
	}
	if len(blocks) == 0 {
		required(content(), &s.block.Block, raw(s.key+".value"))
	}
}

// required writes what the schema of a block requires, for a block that will not exist. An unknown
// expression stands for each attribute.
func required(body *hclwrite.Body, schema *configschema.Block, unknown hclwrite.Tokens) {
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if schema.Attributes[name].Required {
			body.SetAttributeRaw(name, unknown)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.BlockTypes)) {
		for range schema.BlockTypes[name].MinItems {
			required(block(body, name), &schema.BlockTypes[name].Block, unknown)
		}
	}
}

// expr writes the value of a setting.
func (w *hclWriter) expr(s setting) hclwrite.Tokens {
	of := s.v.Type()
	switch {
	case !s.v.IsKnown():
		return w.unknown(s)
	case s.v.IsNull():
		return w.null(s)
	case s.secret:
		w.note("%s is hidden, so replace %s with its value", s.slot, scenario.Secret)
		return raw(Quoted(scenario.Secret))
	case of == cty.String:
		return raw(Quoted(w.valid(s.slot, s.v.AsString())))
	case of == cty.Number:
		return raw(string(placeholder.NumberText(s.v.AsBigFloat())))
	case of == cty.Bool:
		return hclwrite.TokensForValue(s.v)
	case s.place.HasDynamicTypes() && !of.HasDynamicTypes() && of.IsCollectionType() && s.v.LengthInt() == 0:
		w.note("%s is empty, and HCL cannot express its type: %s", s.slot, of.FriendlyName())
	}
	elements := w.elements(s)
	if convert := conversion(of); s.place == cty.DynamicPseudoType && convert != "" {
		return hclwrite.TokensForFunctionCall(convert, elements)
	}
	return elements
}

// elements writes a collection, a tuple or an object.
func (w *hclWriter) elements(s setting) hclwrite.Tokens {
	var elems []hclwrite.Tokens
	var attrs []hclwrite.ObjectAttrTokens
	for _, e := range s.inside {
		elems = append(elems, w.expr(e))
		if s.keyed() {
			attrs = append(attrs, hclwrite.ObjectAttrTokens{Name: w.key(s.slot, e.key), Value: elems[len(elems)-1]})
		}
	}
	if s.keyed() {
		return hclwrite.TokensForObject(attrs)
	}
	return hclwrite.TokensForTuple(elems)
}

// key writes a key of an object or a map.
func (w *hclWriter) key(slot, key string) hclwrite.Tokens {
	if hclsyntax.ValidIdentifier(key) && key != "for" {
		return raw(key)
	}
	return raw(Quoted(w.valid(slot, key)))
}

// conversion returns the function that converts a literal to the type, or "".
func conversion(ty cty.Type) string {
	kind, _, _ := strings.Cut(ty.FriendlyName(), " ") // such as "list of string"
	if ty.IsPrimitiveType() || ty.IsCollectionType() {
		return "to" + kind
	}
	return ""
}

// null writes null. It includes the type of the null value if the place accepts any type.
func (w *hclWriter) null(s setting) hclwrite.Tokens {
	switch of := s.v.Type(); {
	case s.place == cty.DynamicPseudoType && of.IsPrimitiveType():
		return raw(conversion(of) + "(null)")
	case s.place.HasDynamicTypes() && !of.Equals(s.place):
		w.note("%s is null, and HCL cannot express the type of the null: %s", s.slot, of.FriendlyName())
	}
	return raw("null")
}

// valid returns the text without bytes that are not UTF-8.
func (w *hclWriter) valid(slot, s string) string {
	if !utf8.ValidString(s) {
		w.note("%s has bytes that are not UTF-8, which HCL cannot express: %.60q", slot, s)
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// output adds a value that becomes known during apply, and returns a reference to it.
func (w *hclWriter) output(s setting, value hclwrite.Tokens) hclwrite.Tokens {
	if w.applies && s.then == cty.NilVal {
		w.note("%s is unknown in a set, and no single element shows what it becomes", s.slot)
	}
	base := s.slot[strings.LastIndexByte(s.slot, '.')+1:]
	name := base
	for i := 2; w.named[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	w.named[name] = true
	w.late = append(w.late, hclwrite.ObjectAttrTokens{Name: raw(name), Value: value})
	return raw("terraform_data.unknown.output." + name)
}

// unknown writes a value that becomes known during apply.
func (w *hclWriter) unknown(s setting) hclwrite.Tokens {
	of := s.v.Type()
	if !s.v.RawEquals(cty.UnknownVal(of)) {
		w.note("%s is unknown with refinements, but Terraform sends an unknown value without refinements", s.slot)
	}
	value := w.expr(*s.later)
	literal := of.IsPrimitiveType() || // or has its type
		of.IsCollectionType() && of.ElementType().IsPrimitiveType() && s.place == cty.DynamicPseudoType
	if literal {
		return w.output(s, value)
	}
	// Terraform knows the type and length of other literals when it plans.
	output := w.output(s, hclwrite.TokensForFunctionCall("jsonencode", value))
	return hclwrite.TokensForFunctionCall("jsondecode", output)
}

// Quoted returns the text as an HCL string.
func Quoted(s string) string { return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes()) }
