package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

// A configuration is what is read of the configuration in a plan: which
// attributes of which resources are set.
type configuration struct {
	ProviderConfig map[string]struct {
		FullName string `json:"full_name"`
	} `json:"provider_config"`
	RootModule configModule `json:"root_module"`
}

type configModule struct {
	Resources   []*configured `json:"resources"`
	ModuleCalls map[string]struct {
		Module configModule `json:"module"`
	} `json:"module_calls"`
}

// A configured resource is one block of the configuration.
type configured struct {
	Mode        tfjson.ResourceMode `json:"mode"`
	Type        string              `json:"type"`
	Name        string              `json:"name"`
	ProviderKey string              `json:"provider_config_key"`
	Expressions map[string]any      `json:"expressions"`

	address, pointer string
	provider         string // as far as it is known
	judged           bool
}

// collect returns the resources by their address without instance keys.
func (c *configuration) collect() map[string]*configured {
	all := map[string]*configured{}
	c.module(all, &c.RootModule, "", "/configuration/root_module")
	return all
}

func (c *configuration) module(all map[string]*configured, m *configModule, address, pointer string) {
	for i, r := range m.Resources {
		if r == nil {
			continue
		}
		r.address = address + resourceAddress(r.Mode, r.Type, r.Name)
		r.pointer = fmt.Sprintf("%s/resources/%d", pointer, i)
		r.provider = c.ProviderConfig[r.ProviderKey].FullName
		all[r.address] = r
	}
	for name, call := range m.ModuleCalls {
		c.module(all, &call.Module, address+"module."+name+".", pointer+"/module_calls/"+name+"/module")
	}
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

// judgeConfiguration judges the configuration of the changed resource, once for
// all of its instances.
func (c *change) judgeConfiguration() []report.Finding {
	address := resourceAddress(c.Mode, c.Type, c.Name)
	if c.ModuleAddress != "" {
		address = withoutKeys(c.ModuleAddress) + "." + address
	}
	r := c.configurations[address]
	if r == nil || r.judged {
		return nil
	}
	r.judged = true
	return r.judge(c.schema)
}

// unusedConfigurations judges the configurations of resources that do not
// change, and tells of those with findings.
func (a *auditor) unusedConfigurations() {
	for _, address := range slices.Sorted(maps.Keys(a.configurations)) {
		r := a.configurations[address]
		schema, err := a.schema(resource{r.Mode, r.provider, r.Type})
		if r.judged || err != nil {
			continue
		}
		a.judged = true
		if found := r.judge(schema.Block); len(found) > 0 {
			a.add(key{address: address}, "configuration", report.Subject{
				Status: report.Judged, Findings: found,
				Place: report.Place{File: a.planned.Name, Pointer: r.pointer},
			})
		}
	}
}

func (r *configured) judge(schema *objchange.Block) []report.Finding {
	j := configJudge{}
	j.block(schema, r.Expressions, nil)
	return phased(objchange.PhaseConfig, j.found)
}

// A configJudge finds what may not be in a configuration.
type configJudge struct{ found []report.Finding }

func (j *configJudge) block(schema *objchange.Block, expressions map[string]any, path cty.Path) {
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
func (j *configJudge) blocks(nested *objchange.NestedBlock, told any, path cty.Path) {
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
func (j *configJudge) attribute(attr *objchange.Attribute, told any, path cty.Path) {
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
func (j *configJudge) constant(attr *objchange.Attribute, constant any, path cty.Path) {
	alone := &objchange.Block{Attributes: map[string]*objchange.Attribute{"v": attr}}
	v, err := objchange.ValueOf(alone, map[string]any{"v": constant})
	if err != nil {
		return // Core would have said so
	}
	for _, found := range objchange.AssertConfigValid(alone, v) {
		if found.Rule == objchange.RuleConfigComputedOnly {
			j.computedOnly(append(path.Copy(), found.Path[1:]...))
		}
	}
	for _, found := range objchange.AssertStateValid(alone, v) {
		if found.Rule == objchange.RuleWriteOnlyNotNull {
			j.find(rulebook.RuleWriteOnlyConstant, append(path.Copy(), found.Path[1:]...), false,
				"is write-only, and a constant in the configuration, which shows it in every plan")
		}
	}
}

func (j *configJudge) computedOnly(path cty.Path) {
	j.find(objchange.RuleConfigComputedOnly, path, true, "is configured, but only the provider may set it")
}

// find adds a finding. It hides keys, since any of them may be sensitive.
func (j *configJudge) find(rule objchange.Rule, path cty.Path, enforced bool, message string) {
	j.found = append(j.found, report.Finding{Rule: rule, Path: hideKeys(path), Message: message, Enforced: enforced})
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

// unmarshal reads JSON with numbers as they are written.
func unmarshal(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(v)
}
