package objchange_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange"
)

// sameSchemas compares schemas, whose types have nothing exported.
var sameSchemas = cmp.Comparer(cty.Type.Equals)

// A schema that uses every field.
var everyField = &objchange.Block{
	Attributes: map[string]*objchange.Attribute{
		"id": {Type: cty.String, Computed: true, Description: "Its <id>.", DescriptionKind: objchange.StringMarkdown},
		"password": {
			Type: cty.String, Optional: true, Sensitive: true, WriteOnly: true,
			Deprecated: true, DeprecationMessage: "Use a key.",
		},
		"ports": {Required: true, NestedType: &objchange.Object{
			Nesting:    objchange.NestingList,
			Attributes: map[string]*objchange.Attribute{"from": {Type: cty.Number, Required: true}},
		}},
	},
	BlockTypes: map[string]*objchange.NestedBlock{
		"rule": {
			Nesting: objchange.NestingSet, MinItems: 1, MaxItems: 3,
			Block: objchange.Block{Attributes: map[string]*objchange.Attribute{"tags": {Type: cty.Map(cty.String), Optional: true}}},
		},
		"status": {Nesting: objchange.NestingSingle, Block: objchange.Block{Computed: true}},
	},
	Description:        "A thing.",
	DescriptionKind:    objchange.StringMarkdown,
	Deprecated:         true,
	DeprecationMessage: "Use another thing.",
}

const everyFieldJSON = `{
	"attributes": {
		"id": {"type": "string", "description": "Its \u003cid\u003e.", "description_kind": "markdown", "computed": true},
		"password": {
			"type": "string", "description_kind": "plain", "deprecated": true, "deprecation_message": "Use a key.",
			"optional": true, "sensitive": true, "write_only": true
		},
		"ports": {
			"nested_type": {
				"attributes": {"from": {"type": "number", "description_kind": "plain", "required": true}},
				"nesting_mode": "list"
			},
			"description_kind": "plain", "required": true
		}
	},
	"block_types": {
		"rule": {
			"nesting_mode": "set",
			"block": {
				"attributes": {"tags": {"type": ["map", "string"], "description_kind": "plain", "optional": true}},
				"description_kind": "plain"
			},
			"min_items": 1, "max_items": 3
		},
		"status": {"nesting_mode": "single", "block": {"description_kind": "plain", "computed": true}}
	},
	"description": "A thing.", "description_kind": "markdown", "deprecated": true, "deprecation_message": "Use another thing."
}`

func TestSchemaJSON(t *testing.T) {
	checkJSON(t, everyField, everyFieldJSON)
	checkJSON(t, (*objchange.Block)(nil), `null`)
	checkJSON(t, &objchange.Block{}, `{"description_kind": "plain"}`)
	checkJSON(t, &objchange.NestedBlock{Nesting: objchange.NestingGroup}, `{"nesting_mode": "group", "block": {"description_kind": "plain"}}`)
	checkJSON(t, &objchange.Object{Nesting: objchange.NestingMap}, `{"nesting_mode": "map"}`)
	checkJSON(t, &objchange.Attribute{Type: cty.DynamicPseudoType}, `{"type": "dynamic", "description_kind": "plain"}`)
	checkJSON(t, everyField.BlockTypes, compact(t, everyFieldJSON)["block_types"])
	checkJSON(t, []objchange.NestingMode{1, 2, 3, 4, 5}, `["single", "group", "list", "set", "map"]`)
	checkJSON(t, map[objchange.StringKind]int{objchange.StringPlain: 1, objchange.StringMarkdown: 2}, `{"markdown": 2, "plain": 1}`)
}

// checkJSON checks that v is written as want, but for white space, and read
// again the same, also where it is no pointer.
func checkJSON[T any](t *testing.T, v T, want string) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var wanted strings.Builder
	for line := range strings.Lines(want) {
		wanted.WriteString(line)
	}
	if got, want := string(text), unspaced(t, want); got != want {
		t.Errorf("written is\n%s\nwant\n%s", got, want)
	}
	var again T
	if err := json.Unmarshal([]byte(want), &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v, again, sameSchemas); diff != "" {
		t.Errorf("read is not what was written (-want +got):\n%s", diff)
	}
}
