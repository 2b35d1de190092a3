package livetest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// late is an expression that is unknown until another resource is created, which happens in each
// run with the resource. Even its type is unknown after decoding.
const late = "jsondecode(terraform_data.late.output)"

// configure writes the configuration of a step: the resource, and the resource on which a late
// value depends.
func (tf *terraform) configure(t *testing.T, s step, id string) {
	t.Helper()
	if s.stepKind == destroying {
		return // keep the configuration of the last step
	}
	all := map[string]any{}
	if s.stepKind != removing {
		config := plain(s.config).(map[string]any)
		resources := map[string]any{tf.typeName: map[string]any{"it": config}}
		if s.late != "" {
			resources["terraform_data"] = map[string]any{"late": tf.late(t, config[s.late])}
			delete(config, s.late)
			tf.await(config, s.late)
		}
		all[kinds[s.stepKind]] = resources
		if len(tf.ignored) > 0 {
			config["lifecycle"] = map[string]any{"ignore_changes": tf.ignored}
			if slices.Contains(tf.ignored, everything) {
				config["lifecycle"] = map[string]any{"ignore_changes": everything}
			}
		}
	}
	if s.stepKind == adopting {
		all["import"] = map[string]any{"to": tf.address(), "id": id}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	tf.write(t, "main.tf.json", text)
}

var kinds = [...]string{applying: "resource", replacing: "resource", refreshing: "resource", importing: "resource", adopting: "resource", reading: "data", opening: "ephemeral"}

func (tf *terraform) late(t *testing.T, value any) map[string]any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	tf.runs++
	return map[string]any{"input": string(text), "triggers_replace": tf.runs}
}

// await configures a late value: an argument, or blocks.
func (tf *terraform) await(config map[string]any, name string) {
	if nested := tf.schema.BlockTypes[name]; nested != nil {
		config["dynamic"] = map[string]any{name: dynamic(name, &nested.Block, late)}
	} else {
		config[name] = "${" + late + "}"
	}
}

// dynamic configures a block for each element of a value.
func dynamic(name string, block *configschema.Block, elements string) map[string]any {
	content := map[string]any{}
	for argument, a := range block.Attributes {
		if a.Optional || a.Required {
			content[argument] = "${try(" + name + ".value." + argument + ", null)}"
		}
	}
	for inner, nested := range block.BlockTypes {
		below, _ := content["dynamic"].(map[string]any)
		if below == nil {
			below = map[string]any{}
		}
		below[inner] = dynamic(inner, &nested.Block, "try("+name+".value."+inner+", [])")
		content["dynamic"] = below
	}
	return map[string]any{"for_each": "${" + elements + "}", "content": content}
}

// plain returns a copy of a configuration that can be encoded as JSON with the same meaning as
// for a driver: nil slices and maps are empty, and cty values are plain data.
func plain(data any) any {
	switch data := data.(type) {
	case map[string]any:
		object := map[string]any{}
		for name, v := range data {
			object[name] = plain(v)
		}
		return object
	case []any:
		list := []any{}
		for _, v := range data {
			list = append(list, plain(v))
		}
		return list
	case string:
		return strings.ReplaceAll(data, "${", "$${")
	case cty.Value:
		return ctyjson.SimpleJSONValue{Value: data}
	}
	return data
}
