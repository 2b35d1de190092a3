package live

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Late is an expression that is unknown until another resource is created, which happens in each
// run with the resource. Even its type is unknown after decoding.
const Late = "jsondecode(terraform_data.late.output)"

// Configure writes the configuration of a step: the resource, and the resource on which a late
// value depends.
func (tf *Terraform) Configure(t *testing.T, s Step, id string) {
	t.Helper()
	if s.StepKind == Destroying {
		return // keep the configuration of the last step
	}
	all := map[string]any{}
	if s.StepKind != Removing {
		config := Plain(s.Config).(map[string]any)
		resources := map[string]any{tf.TypeName: map[string]any{"it": config}}
		if s.Late != "" {
			resources["terraform_data"] = map[string]any{"late": tf.Late(t, config[s.Late])}
			delete(config, s.Late)
			tf.await(config, s.Late)
		}
		switch s.StepKind {
		case Reading:
			all["data"] = resources
		case Opening:
			all["ephemeral"] = resources
		default:
			all["resource"] = resources
		}
		switch tf.Ignored {
		case "":
		case Everything:
			config["lifecycle"] = map[string]any{"ignore_changes": Everything}
		default:
			config["lifecycle"] = map[string]any{"ignore_changes": []string{tf.Ignored}}
		}
	}
	if s.StepKind == Adopting {
		all["import"] = map[string]any{"to": tf.Address(), "id": id}
	}
	tf.WriteJSON(t, "main.tf.json", all)
}

// Late returns the configuration of the resource on which late values depend.
func (tf *Terraform) Late(t *testing.T, value any) map[string]any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	tf.runs++
	return map[string]any{"input": string(text), "triggers_replace": tf.runs}
}

// await configures a late value: an argument, or blocks.
func (tf *Terraform) await(config map[string]any, name string) {
	if nested := tf.Block.BlockTypes[name]; nested != nil {
		config["dynamic"] = map[string]any{name: dynamic(name, &nested.Block, Late)}
	} else {
		config[name] = "${" + Late + "}"
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

// Plain returns a copy of a configuration that can be encoded as JSON with the same meaning as
// for a driver: nil slices and maps are empty, and cty values are plain data.
func Plain(data any) any {
	switch data := data.(type) {
	case map[string]any:
		object := map[string]any{}
		for name, v := range data {
			object[name] = Plain(v)
		}
		return object
	case []any:
		list := []any{}
		for _, v := range data {
			list = append(list, Plain(v))
		}
		return list
	case string:
		return strings.ReplaceAll(data, "${", "$${")
	case cty.Value:
		return ctyjson.SimpleJSONValue{Value: data}
	}
	return data
}

// Command runs the step with one command.
func (tf *Terraform) Command(t *testing.T, s Step, id string) Report {
	t.Helper()
	if s.StepKind == Vanishing {
		tf.provider.Cloud.Forget(id)
		return Report{}
	}
	if s.Imports() {
		tf.Forget(t)
	}
	tf.Configure(t, s, id)
	if s.StepKind == Importing {
		return tf.imports(t, id)
	}
	r := tf.Run(t, tf.Args(s)...)
	r.Refreshing = s.StepKind == Refreshing
	return r
}

// Args returns the arguments of the command that runs the step, unless it imports.
func (tf *Terraform) Args(s Step) []string {
	args := []string{"apply", "-auto-approve"}
	switch s.StepKind {
	case Replacing:
		return append(args, "-replace="+tf.Address())
	case Refreshing:
		return append(args, "-refresh-only")
	case Destroying:
		return append(args, "-destroy")
	}
	return args
}
