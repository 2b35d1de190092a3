package plantest

import (
	"encoding/json"
	"io"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/objchange/objchange/configschema"
)

// Terraform-plugin-testing passes what terraform-json has read, which is less than Terraform
// has printed. In the configuration, numbers are float64, and of the blocks only lists and sets
// are read. So that no plan is compared with another configuration, one that may not be exact
// is left out. The prior state has float64, too. Nothing that fails a test depends on them.

// exactly returns the plan without its configuration if that may not be exact.
func exactly(plan *tfjson.Plan, schemas *configschema.ProviderSchemas) *tfjson.Plan {
	copied := *plan
	for _, c := range plan.ResourceChanges {
		if p := schemas.Providers[c.ProviderName]; p != nil && p.ResourceSchemas[c.Type] != nil && !listsAndSets(p.ResourceSchemas[c.Type].Block) {
			copied.Config = nil
		}
	}
	if !exact(copied.Config) {
		copied.Config = nil
	}
	return &copied
}

// listsAndSets reports whether all blocks in a block are in lists and sets.
func listsAndSets(block *configschema.Block) bool {
	if block == nil {
		return true
	}
	for _, nested := range block.BlockTypes {
		if nested.Nesting != configschema.NestingList && nested.Nesting != configschema.NestingSet || !listsAndSets(&nested.Block) {
			return false
		}
	}
	return true
}

// exact reports whether no number can have lost digits when it became a float64: the first
// fifteen are safe.
func exact(part any) bool {
	text, err := marshal(part)
	if err != nil {
		return false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return err == io.EOF
		}
		if n, ok := token.(json.Number); ok {
			digits := strings.ReplaceAll(strings.TrimLeft(string(n), "-0."), ".", "")
			if len(digits) > 15 || strings.Contains(digits, "e") {
				return false
			}
		}
	}
}

func marshal(document any) (string, error) {
	text, err := json.Marshal(document)
	return string(text), err
}
