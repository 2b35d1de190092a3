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
	// Hide returns a value without secrets. If it is nil, all values are shown.
	Hide func(cty.Value) cty.Value
	// Protocol is the protocol version, 5 or 6. Zero means 6.
	Protocol int
	// User is an accepted scenario that uses the provider. Terraform sends no requests to an unused
	// provider.
	User *scenario.Scenario
}

// Implied is the beginning of the source address that Terraform infers from a type name.
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
	full := n.Full()
	if strings.HasPrefix(full, Implied) {
		return ""
	}
	return strings.TrimPrefix(full, "registry.terraform.io/")
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
func HCL(s scenario.Scenario, n Naming) (text string, exact bool) { return hclOf(s, s.Last(), n, 0) }

// hclOf is like HCL for a step. The argument turn is the number of earlier steps with unknown
// values.
func hclOf(s scenario.Scenario, st scenario.Step, n Naming, turn int) (text string, exact bool) {
	w, name := &hclWriter{Naming: n, turn: turn, named: map[string]bool{}}, n.Local(s.TypeName)
	schema, config, then := n.Schema, s.Provider, s.Provider
	if s.Kind == scenario.Configuration {
		schema, config, then = s.Schema, st.Config, st.Then
	}
	var blocks []string
	if schema != nil && config != cty.NilVal {
		body := w.body(reader{n, string(scenario.Configuration)}.settings(schema, config, then))
		if body != "" || s.Kind == scenario.Configuration {
			blocks = append(blocks, hclBlock("provider "+Quoted(name), body))
		}
	}
	switch {
	case s.Kind == scenario.Function:
		blocks = append(blocks, w.call(s, name))
	case s.Kind != scenario.Configuration:
		blocks = append(blocks, w.example(s, st))
	case n.User != nil:
		blocks = append(blocks, w.example(*n.User, n.User.Last()))
	default:
		w.notes = append(w.notes, "Not exact: Terraform configures a provider only if a resource or data source uses it")
	}
	text = strings.Join(slices.Concat(w.head(name), blocks), "\n")
	return string(hclwrite.Format([]byte(text))), len(w.notes) == 0
}

// ExampleName is the name of the explored resource.
const ExampleName = "example"

// example writes the block of the resource or data source. It has the provider argument, unless
// Terraform infers the provider from the type.
func (w *hclWriter) example(s scenario.Scenario, st scenario.Step) string {
	body := w.body(reader{w.Naming, s.TypeName}.settings(s.Schema, st.Config, st.Then))
	if prefix, _, _ := strings.Cut(s.TypeName, "_"); w.Local(s.TypeName) != prefix {
		body = "provider = " + w.Local(s.TypeName) + "\n" + body
	}
	return hclBlock(fmt.Sprintf("%s %q %q", s.Kind, s.TypeName, ExampleName), body)
}

// call writes an output with the result of a function.
func (w *hclWriter) call(s scenario.Scenario, provider string) string {
	w.declared = true
	var args []string
	for i, a := range s.Arguments() {
		argument := setting{slot: scenario.Parameter(i), place: a.Type, v: a.Value}
		args = append(args, w.expr(reader{Naming: w.Naming}.read(argument)))
	}
	call := fmt.Sprintf("provider::%s::%s%s", provider, s.TypeName, list("(", args, ")"))
	return hclBlock(`output "result"`, "value = "+call+"\n")
}

// An hclWriter writes values as HCL. It also collects the other parts of the configuration that
// these values need.
type hclWriter struct {
	Naming
	turn     int      // number of earlier steps with unknown values
	declared bool     // the provider must be declared
	late     []string // arguments that become known during apply
	named    map[string]bool
	notes    []string
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
	if len(w.late) > 0 {
		body := "input = " + hclObject(w.late) + "\n"
		if w.turn > 0 { // earlier steps may have made the output known
			body += fmt.Sprintf("triggers_replace = %d\n", w.turn)
		}
		block := hclBlock(`resource "terraform_data" "unknown"`, body)
		blocks = append(blocks, "# Its output is unknown until apply.\n"+block)
	}
	return blocks
}

// note records a value that HCL cannot express.
func (w *hclWriter) note(slot, format string, args ...any) {
	if note := "Not exact: " + slot + " " + fmt.Sprintf(format, args...); !slices.Contains(w.notes, note) {
		w.notes = append(w.notes, note)
	}
}

// unique returns a name for the slot that is unique among the arguments that become known during
// apply.
func (w *hclWriter) unique(slot string) string {
	base := slot[strings.LastIndexByte(slot, '.')+1:]
	name := base
	for i := 2; w.named[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	w.named[name] = true
	return name
}

// body writes the content of a block.
func (w *hclWriter) body(all []setting) string {
	var b strings.Builder
	last := ""
	for _, s := range all {
		if s.block == nil {
			b.WriteString(hclKey(s.key) + " = " + w.expr(s) + "\n")
			continue
		}
		for _, block := range w.blocks(s) {
			if short := strings.HasSuffix(last, "{}\n") && strings.HasSuffix(block, "{}\n"); b.Len() > 0 && !short {
				b.WriteString("\n")
			}
			b.WriteString(block)
			last = block
		}
	}
	return b.String()
}

// blocks writes the blocks of a block type. Each block consists of whole lines.
func (w *hclWriter) blocks(s setting) (all []string) {
	if !s.v.IsKnown() {
		return w.dynamic(s)
	}
	for _, block := range s.blocks() {
		if !block.v.IsKnown() || block.v.IsNull() {
			w.note(s.slot, "has a block that is unknown or null, which a configuration cannot express")
			continue
		}
		header := s.key
		if s.block.Nesting.Keyed() {
			header += " " + w.text(s.slot, block.key)
		}
		all = append(all, hclBlock(header, w.body(block.inside)))
	}
	return all
}

// expr writes the value of a setting.
func (w *hclWriter) expr(s setting) string {
	of := s.v.Type()
	switch {
	case !s.v.IsKnown():
		return w.unknown(s)
	case s.v.IsNull():
		return w.null(s)
	case s.secret:
		w.note(s.slot, "is hidden, so replace %s with its value", hiddenText)
		return Quoted(hiddenText)
	case of == cty.String:
		return w.text(s.slot, s.v.AsString())
	case of == cty.Number:
		return string(placeholder.NumberText(s.v.AsBigFloat()))
	case of == cty.Bool:
		return fmt.Sprint(s.v.True())
	}
	if s.place.HasDynamicTypes() && !of.HasDynamicTypes() && of.IsCollectionType() && s.v.LengthInt() == 0 {
		w.note(s.slot, "is empty, and HCL cannot express its type: %s", of.FriendlyName())
	}
	text := w.elements(s)
	if convert := conversion(of); s.place == cty.DynamicPseudoType && convert != "" {
		return convert + "(" + text + ")"
	}
	return text
}

// elements writes a collection, a tuple or an object.
func (w *hclWriter) elements(s setting) string {
	var all []string
	for _, e := range s.inside {
		text := w.expr(e)
		if s.keyed() {
			text = hclKey(e.key) + " = " + text
		}
		all = append(all, text)
	}
	if s.keyed() {
		return hclObject(all)
	}
	return list("[", all, "]")
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
func (w *hclWriter) null(s setting) string {
	switch of := s.v.Type(); {
	case s.place == cty.DynamicPseudoType && of.IsPrimitiveType():
		return conversion(of) + "(null)"
	case s.place.HasDynamicTypes() && !of.Equals(s.place):
		w.note(s.slot, "is null, and HCL cannot express the type of the null: %s", of.FriendlyName())
	}
	return "null"
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

// unknown writes a value that becomes known during apply.
func (w *hclWriter) unknown(s setting) string {
	of := s.v.Type()
	if !s.v.RawEquals(cty.UnknownVal(of)) {
		w.note(s.slot, "is unknown with refinements, but Terraform sends an unknown value without refinements")
	}
	later := s.later
	if later == nil {
		later = &setting{slot: s.slot, place: s.place, v: sample(of), secret: s.secret}
	}
	name := w.unique(s.slot)
	value, ref := w.expr(*later), lateOutput+name
	switch {
	case of == cty.DynamicPseudoType || of.IsCollectionType() && !of.ElementType().IsPrimitiveType() && !later.v.IsNull():
		value, ref = "jsonencode("+value+")", "jsondecode("+ref+")"
	case of.IsCollectionType() && s.place != cty.DynamicPseudoType && !later.v.IsNull():
		value = conversion(of) + "(" + value + ")" // otherwise Terraform promises the length of the literal
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

// oneLine is the maximum length of what is written on one line.
const oneLine = 60

// list writes elements or arguments, on one line if they are short.
func list(open string, all []string, end string) string {
	if text := strings.Join(all, ", "); len(text) <= oneLine && !strings.Contains(text, "\n") {
		return open + text + end
	}
	return open + "\n" + strings.Join(all, ",\n") + ",\n" + end
}

// hclObject writes the attributes of an object.
func hclObject(all []string) string {
	switch text := list("{ ", all, " }"); {
	case len(all) == 0:
		return "{}"
	case strings.Contains(text, "\n"):
		return "{\n" + strings.Join(all, "\n") + "\n}"
	default:
		return text
	}
}

// Quoted returns the text as an HCL string.
func Quoted(s string) string { return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes()) }

// hclKey writes the key of an object or map.
func hclKey(key string) string {
	if hclsyntax.ValidIdentifier(key) && !slices.Contains([]string{"for", "null", "true", "false"}, key) {
		return key
	}
	return Quoted(strings.ToValidUTF8(key, "\ufffd"))
}

// dynamic writes dynamic blocks, because the number of blocks becomes known during apply. Terraform
// supports this only for lists and sets.
func (w *hclWriter) dynamic(s setting) (all []string) {
	if s.block.Nesting.Single() || s.block.Nesting.Keyed() {
		w.note(s.slot, "is unknown, and a configuration cannot express unknown blocks of nesting mode %s", s.block.Nesting)
		return nil
	}
	input := w.unique(s.slot)
	header := "dynamic " + Quoted(s.key)
	over := "for_each = " + lateOutput + input + "\n"
	if s.later != nil {
		for _, block := range s.later.blocks() {
			all = append(all, hclBlock(header, over+hclBlock("content", w.body(block.inside))))
		}
	}
	if len(all) == 0 {
		w.late = append(w.late, input+" = []")
		return []string{hclBlock(header, over+hclBlock("content", required(&s.block.Block, s.key+".value")))}
	}
	w.late = append(w.late, input+" = [1]")
	return all
}

// required writes what the schema of a block requires, for a block that will not exist. An unknown
// expression stands for each attribute.
func required(schema *configschema.Block, unknown string) (body string) {
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if schema.Attributes[name].Required {
			body += hclKey(name) + " = " + unknown + "\n"
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.BlockTypes)) {
		nb := schema.BlockTypes[name]
		body += strings.Repeat(hclBlock(name, required(&nb.Block, unknown)), nb.MinItems)
	}
	return body
}
