package explain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/livetest/internal/live"
	"github.com/objchange/objchange/tfconv"
)

// TestRecordedViolationsAreExplained checks errors about recorded cases of the corpus. A provider returns the
// recorded values, and objchange explain explains Terraform's output and log. Each error must
// have the rule and the path of a violation in the same values.
func TestRecordedViolationsAreExplained(t *testing.T) {
	live.ProgramsOnly(t)
	for _, op := range []conformance.Op{conformance.OpPlan, conformance.OpReplan, conformance.OpApply} {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			sampled := func(id string, of conformance.Op) bool { // the corpus has thousands of cases
				return of == op && crc32.ChecksumIEEE([]byte(id))%60 == 0
			}
			var batch []*recordedCase
			for c, err := range conformance.Select(sampled) {
				if err != nil {
					t.Fatal(err)
				}
				if p := recordedCaseOf(c); p != nil && len(p.broken) > 0 {
					batch = append(batch, p)
				}
			}
			explained := 0
			for some := range slices.Chunk(batch, 60) {
				explained += explainRecorded(t, some)
			}
			if explained < 50 {
				t.Errorf("only %d errors of %d cases are explained", explained, len(batch))
			}
		})
	}
}

// explainRecorded explains Terraform's output and log about the cases, and returns the number of
// errors. It skips cases on which Terraform crashes.
func explainRecorded(t *testing.T, batch []*recordedCase) (n int) {
	t.Helper()
	out, crashed := runRecorded(t, batch)
	if crashed {
		if len(batch) == 1 {
			return 0
		}
		half := len(batch) / 2
		return explainRecorded(t, batch[:half]) + explainRecorded(t, batch[half:])
	}
	for _, e := range explainText(t, out) {
		name, _, _ := strings.Cut(e.Address, ".")
		i := slices.IndexFunc(batch, func(p *recordedCase) bool { return p.name == name })
		switch {
		case strings.HasPrefix(e.Sentence, "Error validating write-only attributes"): // the error does not contain an address
		case i < 0:
			t.Errorf("no case has the address of %+v", e)
		case !slices.ContainsFunc(batch[i].broken, e.breaks):
			t.Errorf("%s: explained %s %s, want one of %v", batch[i].ID, e.Rule, e.Sentence, batch[i].broken)
		default:
			n++
		}
	}
	return n
}

// breaks reports whether the error is about the violation. Terraform hides more than objchange:
// all values in an attribute that contains a sensitive value.
func (e errorEntry) breaks(v *objchange.Violation) bool {
	path, of := withoutKeys(e.Path), withoutKeys(objchange.PathString(v.Path)) // without keys, because they may be hidden
	switch {
	case e.Rule == objchange.RuleInconsistentSensitive:
		return strings.HasPrefix(of, path)
	case e.Rule == objchange.RulePlanAbsent && v.Rule == objchange.RulePlanNullBlocks: // before Terraform 1.16
		return path == of
	}
	return e.Rule == v.Rule && path == of
}

// runRecorded makes Terraform plan or apply the cases, each as a resource. It returns the output
// and log, and whether Terraform crashed.
func runRecorded(t *testing.T, batch []*recordedCase) (out []byte, crashed bool) {
	t.Helper()
	resources, states := map[string]any{}, []any{}
	server := &recordedProvider{cases: map[string]*recordedCase{}}
	for i, p := range batch {
		p.name, p.plans = fmt.Sprintf("echo_t%d", i), 0
		server.cases[p.name] = p
		resources[p.name] = map[string]any{"it": p.config}
		if p.state != nil {
			states = append(states, map[string]any{"mode": "managed", "type": p.name, "name": "it", "provider": `provider["registry.terraform.io/hashicorp/echo"]`,
				"instances": []any{map[string]any{"schema_version": 0, "attributes": p.state}}})
		}
	}
	tf := live.NewTerraform(t, &live.Provider{Server6: server}, "echo_t0", nil)
	resources["terraform_data"] = map[string]any{"late": tf.Late(t, nil)}
	tf.WriteJSON(t, "main.tf.json", map[string]any{"resource": resources})
	tf.WriteJSON(t, "terraform.tfstate",
		map[string]any{"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "resources": states})
	args := []string{"plan", "-refresh=false", "-no-color"}
	if batch[0].Op != conformance.OpPlan {
		args = []string{"apply", "-refresh=false", "-no-color", "-auto-approve"}
	}
	out, _ = tf.Exec(t, args...)
	log, err := os.ReadFile(tf.Path("log"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(out, log), bytes.Contains(out, []byte("TERRAFORM CRASH"))
}

// A recordedCase is a case of the corpus that can occur in Terraform.
type recordedCase struct {
	*conformance.Case
	schema *configschema.Block
	name   string
	config map[string]any
	state  json.RawMessage // the prior state
	broken objchange.Violations
	plans  int // the number of returned plans
}

// recordedCaseOf returns the recordedCase for the case, or nil if it cannot occur in Terraform.
// Nothing is required in its schema, because Terraform would otherwise stop before the check of
// the case.
func recordedCaseOf(c *conformance.Case) *recordedCase {
	block := relaxed(c.Schema.Block)
	schema, err := objchange.Compile(block)
	if _, unable := tfconv.SchemaTo6(&configschema.Schema{Block: block}); err != nil || unable != nil {
		return nil
	}
	p := &recordedCase{Case: c, schema: block, config: map[string]any{}}
	switch c.Op {
	case conformance.OpPlan:
		prior, config := c.In["prior"], c.In["config"]
		if config.IsNull() || c.In["planned"].IsNull() || !prior.IsWhollyKnown() || !config.IsKnown() {
			return nil
		}
		var ok bool
		if p.config, ok = blockConfig(block, config); !ok {
			return nil
		}
		if !prior.IsNull() {
			if p.state, err = ctyjson.Marshal(prior, block.ImpliedType()); err != nil {
				return nil
			}
		}
		p.broken = objchange.AssertPlanValid(schema, prior, config, c.In["planned"])
	case conformance.OpReplan:
		p.broken = objchange.AssertPlanConsistent(schema, c.In["initial"], c.In["final"])
	case conformance.OpApply:
		p.broken = objchange.AssertApplyConsistent(schema, c.In["planned"], c.In["applied"])
	}
	if c.Op != conformance.OpPlan && len(p.broken) > 0 { // the plans have an empty configuration
		for _, planned := range []cty.Value{c.In["initial"], c.In["final"], c.In["planned"]} {
			if planned != cty.NilVal {
				p.broken = append(p.broken, objchange.AssertPlanValid(schema, cty.NullVal(block.ImpliedType()), block.EmptyValue(), planned)...)
			}
		}
	}
	unplannable := func(v cty.Value) bool { return v != cty.NilVal && (v.IsNull() || !v.IsKnown()) }
	if slices.ContainsFunc([]cty.Value{c.In["initial"], c.In["final"], c.In["planned"]}, unplannable) {
		return nil
	}
	return p
}

// relaxed returns the schema without requirements that Terraform or its client checks earlier.
func relaxed(b *configschema.Block) *configschema.Block {
	r := *b
	r.Attributes, r.BlockTypes = relaxedAttributes(b.Attributes), map[string]*configschema.NestedBlock{}
	for name, nb := range b.BlockTypes {
		n := *nb
		n.Block, n.MinItems = *relaxed(&nb.Block), 0
		r.BlockTypes[name] = &n
	}
	return &r
}

func relaxedAttributes(attributes map[string]*configschema.Attribute) map[string]*configschema.Attribute {
	all := map[string]*configschema.Attribute{}
	for name, a := range attributes {
		r := *a
		r.Optional, r.Required, r.WriteOnly = a.Optional || a.Required, false, false
		if a.NestedType != nil {
			inner := *a.NestedType
			inner.Attributes = relaxedAttributes(inner.Attributes)
			r.NestedType = &inner
		}
		all[name] = &r
	}
	return all
}

// blockConfig returns the configuration of a block in JSON syntax, if that syntax can express it.
func blockConfig(b *configschema.Block, v cty.Value) (config map[string]any, ok bool) {
	config = map[string]any{}
	for name := range b.Attributes {
		if a := v.GetAttr(name); !a.IsNull() {
			config[name] = valueConfig(a)
		}
	}
	for name, nb := range b.BlockTypes {
		blocks := v.GetAttr(name)
		if blocks.IsNull() {
			continue
		}
		if !blocks.IsKnown() {
			return nil, false
		}
		all, ok := blocksConfig(nb, blocks)
		if !ok {
			return nil, false
		}
		if all != nil {
			config[name] = all
		}
	}
	return config, true
}

func blocksConfig(nb *configschema.NestedBlock, blocks cty.Value) (config any, ok bool) {
	if nb.Nesting == configschema.NestingSingle || nb.Nesting == configschema.NestingGroup {
		return blockConfig(&nb.Block, blocks)
	}
	list, byKey := []any{}, map[string]any{}
	for it := blocks.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		if elem.IsNull() || !elem.IsKnown() {
			return nil, false
		}
		one, ok := blockConfig(&nb.Block, elem)
		if !ok {
			return nil, false
		}
		if nb.Nesting == configschema.NestingMap {
			byKey[key.AsString()] = one
		} else {
			list = append(list, one)
		}
	}
	switch {
	case len(byKey) > 0:
		return byKey, true
	case len(list) > 0:
		return list, true
	}
	return nil, true
}

func valueConfig(v cty.Value) any {
	switch ty := v.Type(); {
	case !v.IsKnown():
		return "${" + live.Late + "}"
	case v.IsNull():
		return nil
	case ty == cty.String:
		return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(v.AsString())
	case ty.IsPrimitiveType():
		return ctyjson.SimpleJSONValue{Value: v}
	case ty.IsObjectType() || ty.IsMapType():
		object := map[string]any{}
		for name, elem := range v.AsValueMap() {
			object[name] = valueConfig(elem)
		}
		return object
	}
	list := []any{}
	for _, elem := range v.AsValueSlice() {
		list = append(list, valueConfig(elem))
	}
	return list
}
