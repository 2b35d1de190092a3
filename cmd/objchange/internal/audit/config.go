package audit

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck"
)

// A configured resource is one block of the configuration.
type configured struct {
	mode           tfjson.ResourceMode
	typeName, name string
	providerKey    string
	expressions    span
	address        string
	place          *place
	taken, judged  bool
}

// A provided provider is what the configuration says of one.
type provided struct {
	FullName string `json:"full_name"`
}

// configuration finds which attributes of which resources are set.
func (x *index) configuration(s *scanner) error {
	return s.members(func(name string) error {
		switch name {
		case "provider_config":
			return s.into(&x.providers)
		case "root_module":
			return x.configModule(s, "", "/configuration/root_module")
		}
		_, err := s.skip()
		return err
	})
}

func (x *index) configModule(s *scanner, address, pointer string) error {
	return s.members(func(name string) error {
		switch name {
		case "resources":
			in := &section{s.source, pointer + "/resources"}
			return s.elements(func(i int) error { return x.configured(s, address, in, i) })
		case "module_calls":
			return s.members(func(call string) error {
				return s.members(func(name string) error {
					if name == "module" {
						return x.configModule(s, address+"module."+call+".", pointer+"/module_calls/"+call+"/module")
					}
					_, err := s.skip()
					return err
				})
			})
		}
		_, err := s.skip()
		return err
	})
}

func (x *index) configured(s *scanner, module string, in *section, i int) error {
	r := &configured{place: &place{section: in, i: i, span: span{from: s.InputOffset()}}}
	if s.PeekKind() == 'n' {
		_, err := s.skip()
		return err
	}
	err := s.members(func(name string) (err error) {
		switch name {
		case "mode":
			return s.text((*string)(&r.mode))
		case "type":
			return s.text(&r.typeName)
		case "name":
			return s.text(&r.name)
		case "provider_config_key":
			return s.text(&r.providerKey)
		case "expressions":
			if kind := s.PeekKind(); kind != '{' && kind != 'n' && kind != 0 {
				return s.mismatch(kindNames['{'], kind)
			}
			r.expressions, err = s.skip()
			return err
		}
		_, err = s.skip()
		return err
	})
	r.place.to = s.InputOffset()
	r.address = module + resourceAddress(r.mode, r.typeName, r.name)
	x.configurations[r.address] = r
	return err
}

func resourceAddress(mode tfjson.ResourceMode, typeName, name string) string {
	if mode != tfjson.ManagedResourceMode {
		return string(mode) + "." + typeName + "." + name
	}
	return typeName + "." + name
}

// withoutKeys returns the address of a module without the instance keys in it.
func withoutKeys(address string) string {
	var b strings.Builder
	quoted, depth := false, 0
	for i := 0; i < len(address); i++ {
		switch ch := address[i]; {
		case quoted && ch == '\\':
			i++
		case depth > 0 && ch == '"':
			quoted = !quoted
		case quoted:
		case ch == '[':
			depth++
		case ch == ']':
			depth--
		case depth == 0:
			b.WriteByte(ch)
		}
	}
	return b.String()
}

// configurationOf returns the configuration of a resource instance, for the first
// that asks.
func (x *index) configurationOf(address string) *configured {
	r := x.configurations[withoutKeys(address)]
	if r == nil || r.taken {
		return nil
	}
	r.taken = true
	return r
}

// unusedConfigurations returns what judges the configurations of resources that do
// not change. Of those without findings nothing is told.
func (a *auditor) unusedConfigurations() (tasks []task) {
	for _, address := range slices.Sorted(maps.Keys(a.configurations)) {
		r := a.configurations[address]
		tasks = append(tasks, func(j *judging) error {
			schema, err := a.schema(resource{r.mode, a.providers[r.providerKey].FullName, r.typeName})
			if r.judged || err != nil {
				return nil
			}
			found, err := r.judge(schema.compiled.Block())
			j.judged = true
			if len(found) > 0 {
				j.add(key{address: address}, "configuration", r.place, report.Subject{Status: report.Judged, Findings: found})
			}
			return err
		})
	}
	return tasks
}

func (r *configured) judge(schema *configschema.Block) ([]report.Finding, error) {
	r.judged = true
	if r.expressions == (span{}) {
		return nil, nil
	}
	text, _, err := r.place.read(r.expressions)
	expressions, _ := tree(text).(map[string]any)
	j := configJudge{}
	j.block(schema, expressions, nil)
	return phased(objchange.PhaseConfig, j.found), err
}

// A configJudge finds what may not be in a configuration.
type configJudge struct{ found []report.Finding }

func (j *configJudge) block(schema *configschema.Block, expressions map[string]any, path cty.Path) {
	for _, name := range slices.Sorted(maps.Keys(expressions)) {
		at := path.GetAttr(name)
		if attr := schema.Attributes[name]; attr != nil {
			j.attribute(attr, expressions[name], at)
		} else if nested := schema.BlockTypes[name]; nested != nil {
			j.blocks(nested, expressions[name], at)
		}
	}
}

// blocks judges the blocks of one type: an array, an object by keys, or the
// block itself.
func (j *configJudge) blocks(nested *configschema.NestedBlock, told any, path cty.Path) {
	switch told := told.(type) {
	case []any:
		for i, block := range told {
			if block, ok := block.(map[string]any); ok {
				j.block(&nested.Block, block, path.Index(cty.NumberIntVal(int64(i))))
			}
		}
	case map[string]any:
		if !nested.Nesting.Keyed() {
			j.block(&nested.Block, told, path)
			return
		}
		for _, name := range slices.Sorted(maps.Keys(told)) {
			if block, ok := told[name].(map[string]any); ok {
				j.block(&nested.Block, block, path.Index(cty.StringVal(name)))
			}
		}
	}
}

// attribute judges one that is set. What has neither a constant nor references
// may be null.
func (j *configJudge) attribute(attr *configschema.Attribute, told any, path cty.Path) {
	expression, _ := told.(map[string]any)
	references, _ := expression["references"].([]any)
	constant := expression["constant_value"]
	switch {
	case len(references) > 0 && attr.Computed && !attr.Optional:
		j.computedOnly(path)
	case constant != nil:
		j.constant(attr, constant, path)
	}
}

// constant judges a constant, and what is in it.
func (j *configJudge) constant(attr *configschema.Attribute, constant any, path cty.Path) {
	block := &configschema.Block{Attributes: map[string]*configschema.Attribute{"v": attr}}
	v, err := ctydata.ValueOf(block, map[string]any{"v": constant})
	if err != nil {
		return // Core would have said so
	}
	alone, err := objchange.Compile(block)
	if err != nil {
		return // nor could it be without the rest
	}
	for _, found := range objchange.AssertConfigValid(alone, v) {
		if found.Rule == objchange.RuleConfigComputedOnly {
			j.computedOnly(append(path.Copy(), found.Path[1:]...))
		}
	}
	for _, found := range objchange.AssertStateValid(alone, v) {
		if found.Rule == objchange.RuleWriteOnlyNotNull {
			j.find(rulebook.RuleWriteOnlyConstant, append(path.Copy(), found.Path[1:]...), tfcheck.Unchecked,
				"is write-only, and a constant in the configuration, which shows it in every plan")
		}
	}
}

func (j *configJudge) computedOnly(path cty.Path) {
	j.find(objchange.RuleConfigComputedOnly, path, tfcheck.Rejected, "is configured, but only the provider may set it")
}

// find adds a finding. It hides keys, since any of them may be sensitive.
func (j *configJudge) find(rule objchange.Rule, path cty.Path, severity tfcheck.Severity, message string) {
	j.found = append(j.found, report.Finding{Rule: rule, Path: hideKeys(path), Message: message, Severity: severity})
}

// keyOf returns the key that a step of a path is.
func keyOf(step any) (cty.Value, bool) {
	switch step := step.(type) {
	case string:
		return cty.StringVal(step), true
	case json.Number:
		i, err := step.Int64()
		return cty.NumberIntVal(i), err == nil
	}
	return cty.NilVal, false
}
