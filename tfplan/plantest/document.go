package plantest

import (
	"encoding/json"
	"io"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/objchange/objchange/configschema"
)

// Terraform-plugin-testing passes documents that terraform-json decoded, which contain less than
// Terraform printed. In the configuration, numbers are float64, and only blocks in lists and sets
// are decoded. exactly removes a configuration that may be incomplete, to avoid wrong findings.
// Numbers of the prior state are float64 too, but no failure of a test depends on them.

// exactly returns the plan, without its configuration if that may not be exact.
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

// listsAndSets reports whether all nested blocks of a block are in lists and sets.
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

// exact reports whether no number can have lost digits in a float64. Numbers with up to fifteen
// digits are safe.
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
