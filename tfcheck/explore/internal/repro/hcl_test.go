package repro

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/internal/placeholder"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
	. "github.com/objchange/objchange/internal/testcty"
	"github.com/objchange/objchange/tfcheck/explore/internal/exploretest"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfconv"
)

var hclCases = []struct {
	about        string
	kind         scenario.Kind // Resource by default
	typeName     string
	config, then map[string]any
	provider     map[string]any
	naming       Naming
	uses         bool // another scenario uses the provider
	want         string
	notExact     bool
}{
	{about: "nothing", config: map[string]any{}, want: `
resource "cloud_server" "example" {
}
`},
	{about: "plain attributes", config: map[string]any{
		"name": "a \"b\" ${c} %{d} $${e} é\n\u200b\\", "size": cty.MustParseNumberVal("9007199254740993"), "public": false, "zones": []any{"a", nil},
		"ports": []any{443, 80, -1, cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("1e30")},
		"tags":  map[string]any{"env": "test", "a b": "x", "for": "y", "null": nil, "true": "z", "${k}": "k", "": "none"}, "pair": map[string]any{"x": "a", "y": nil},
	}, want: `
resource "cloud_server" "example" {
  name = "a \"b\" $${c} %%{d} $$${e} é\n\u200b\\"
  pair = {
    x = "a"
    y = null
  }
  ports  = [-1, 0.1, 80, 443, 1000000000000000000000000000000]
  public = false
  size   = 9007199254740993
  tags = {
    ""      = "none"
    "$${k}" = "k"
    "a b"   = "x"
    env     = "test"
    "for"   = "y"
    null    = null
    true    = "z"
  }
  zones = ["a", null]
}
`},
	{about: "empty collections", config: map[string]any{
		"zones": []any{}, "tags": map[string]any{}, "disk": map[string]any{}, "disks": []any{}, "limit": map[string]any{}, "rule": []any{map[string]any{}},
	}, want: `
resource "cloud_server" "example" {
  disk  = {}
  disks = []
  tags  = {}
  zones = []

  limit {
  }

  rule {
  }
}
`},
	{about: "nested attributes and blocks", config: map[string]any{
		"disk": map[string]any{"gb": 1}, "disks": []any{map[string]any{"kind": "ssd"}, nil}, "shelf": map[string]any{"top shelf": map[string]any{"gb": 2}, "low": nil},
		"rule": []any{map[string]any{"port": 1, "peer": []any{map[string]any{"cidr": "a"}}}, map[string]any{"port": 2}},
		"zone": map[string]any{"a": map[string]any{"port": 3}, "${b} \"c\"\n": map[string]any{}}, "limit": map[string]any{"port": 4}, "group": map[string]any{"port": 5},
	}, want: `
resource "cloud_server" "example" {
  disk = {
    gb = 1
  }
  disks = [{
    kind = "ssd"
  }, null]
  shelf = {
    low = null
    "top shelf" = {
      gb = 2
    }
  }

  group {
    port = 5
  }

  limit {
    port = 4
  }

  rule {
    port = 1

    peer {
      cidr = "a"
    }
  }

  rule {
    port = 2
  }

  zone "$${b} \"c\"\n" {
  }

  zone "a" {
    port = 3
  }
}
`},
	{about: "any type", config: map[string]any{"any": cty.ObjectVal(map[string]cty.Value{
		"list": cty.ListVal([]cty.Value{cty.NumberIntVal(1)}), "set": cty.SetVal([]cty.Value{cty.True}), "map": cty.MapVal(map[string]cty.Value{"k": cty.NullVal(cty.String), "l": cty.StringVal("x")}),
		"tuple": cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.NullVal(cty.Number)}), "null": cty.NullVal(cty.DynamicPseudoType), "object": cty.EmptyObjectVal,
	})}, want: `
resource "cloud_server" "example" {
  any = {
    list = tolist([1])
    map = tomap({
      k = tostring(null)
      l = "x"
    })
    null   = null
    object = {}
    set    = toset([true])
    tuple  = ["a", tonumber(null)]
  }
}
`},
	{about: "unknown of every type", config: map[string]any{
		"size": UnknownNum, "public": cty.UnknownVal(cty.Bool), "zones": cty.UnknownVal(cty.List(cty.String)), "ports": cty.UnknownVal(cty.Set(cty.Number)),
		"tags": cty.UnknownVal(cty.Map(cty.String)), "pair": cty.UnknownVal(exploretest.Server.Attributes["pair"].Type), "disk": cty.UnknownVal(diskType), "disks": cty.UnknownVal(cty.List(diskType)),
		"shelf": map[string]any{"a": cty.UnknownVal(diskType), "b": map[string]any{"gb": UnknownNum}}, "any": cty.DynamicVal,
		"rule": cty.UnknownVal(exploretest.Server.BlockTypes["rule"].ImpliedType()),
	}, want: `
resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    any    = jsonencode(null)
    disk   = jsonencode(null)
    disks  = jsonencode(null)
    pair   = jsonencode(null)
    ports  = jsonencode(null)
    public = null
    shelf  = jsonencode(null)
    gb     = null
    size   = null
    tags   = jsonencode(null)
    zones  = jsonencode(null)
    rule   = []
  }
}

resource "cloud_server" "example" {
  any    = jsondecode(terraform_data.unknown.output.any)
  disk   = jsondecode(terraform_data.unknown.output.disk)
  disks  = jsondecode(terraform_data.unknown.output.disks)
  pair   = jsondecode(terraform_data.unknown.output.pair)
  ports  = jsondecode(terraform_data.unknown.output.ports)
  public = terraform_data.unknown.output.public
  shelf = {
    a = jsondecode(terraform_data.unknown.output.shelf)
    b = {
      gb = terraform_data.unknown.output.gb
    }
  }
  size  = terraform_data.unknown.output.size
  tags  = jsondecode(terraform_data.unknown.output.tags)
  zones = jsondecode(terraform_data.unknown.output.zones)

  dynamic "rule" {
    for_each = terraform_data.unknown.output.rule
    content {
    }
  }
}
`},
	{about: "known at apply", config: map[string]any{
		"name": UnknownStr, "zones": cty.UnknownVal(cty.List(cty.String)), "any": cty.DynamicVal, "disks": []any{map[string]any{"kind": UnknownStr, "gb": 1}},
		"ports": []any{1, UnknownNum}, "tags": map[string]any{"a": UnknownStr, "b": UnknownStr}, "rule": []any{map[string]any{"port": UnknownNum}},
	}, then: map[string]any{
		"name": nil, "zones": []any{"x", nil}, "any": "y", "disks": []any{map[string]any{"kind": "ssd", "gb": 1}},
		"ports": []any{1, 0}, "tags": map[string]any{"a": "1", "b": "2"}, "rule": []any{map[string]any{"port": 443}},
	}, want: `
resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    any    = jsonencode("y")
    kind   = "ssd"
    name   = null
    ports  = 0
    tags   = "1"
    tags_2 = "2"
    zones  = jsonencode(["x", null])
    port   = 443
  }
}

resource "cloud_server" "example" {
  any = jsondecode(terraform_data.unknown.output.any)
  disks = [{
    gb   = 1
    kind = terraform_data.unknown.output.kind
  }]
  name  = terraform_data.unknown.output.name
  ports = [1, terraform_data.unknown.output.ports]
  tags = {
    a = terraform_data.unknown.output.tags
    b = terraform_data.unknown.output.tags_2
  }
  zones = jsondecode(terraform_data.unknown.output.zones)

  rule {
    port = terraform_data.unknown.output.port
  }
}
`},
	{about: "nested objects known at apply", config: map[string]any{
		"disks": cty.UnknownVal(cty.List(diskType)), "shelf": cty.UnknownVal(cty.Map(diskType)), "disk": cty.UnknownVal(diskType), "pair": cty.UnknownVal(exploretest.Server.Attributes["pair"].Type),
		"ports": cty.UnknownVal(cty.Set(cty.Number)), "tags": cty.UnknownVal(cty.Map(cty.String)), "any": cty.UnknownVal(cty.List(cty.String)),
	}, then: map[string]any{
		"disks": []any{map[string]any{"gb": 1}, map[string]any{"kind": "ssd"}}, "shelf": map[string]any{"a b": map[string]any{"gb": 1}}, "disk": map[string]any{"gb": 1}, "pair": map[string]any{"x": "a"},
		"ports": []any{}, "tags": map[string]any{"a": nil}, "any": cty.ListVal([]cty.Value{cty.StringVal("a")}),
	}, want: `
resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    any = tolist(["a"])
    disk = jsonencode({
      gb = 1
    })
    disks = jsonencode([{
      gb = 1
      }, {
      kind = "ssd"
    }])
    pair = jsonencode({
      x = "a"
      y = null
    })
    ports = jsonencode([])
    shelf = jsonencode({
      "a b" = {
        gb = 1
      }
    })
    tags = jsonencode({
      a = null
    })
  }
}

resource "cloud_server" "example" {
  any   = terraform_data.unknown.output.any
  disk  = jsondecode(terraform_data.unknown.output.disk)
  disks = jsondecode(terraform_data.unknown.output.disks)
  pair  = jsondecode(terraform_data.unknown.output.pair)
  ports = jsondecode(terraform_data.unknown.output.ports)
  shelf = jsondecode(terraform_data.unknown.output.shelf)
  tags  = jsondecode(terraform_data.unknown.output.tags)
}
`},
	{about: "blocks known at apply", config: map[string]any{
		"rule": cty.UnknownVal(exploretest.Server.BlockTypes["rule"].ImpliedType()), "peer": cty.UnknownVal(exploretest.Server.BlockTypes["peer"].ImpliedType()),
	}, then: map[string]any{
		"rule": []any{map[string]any{"port": 1, "peer": []any{map[string]any{"cidr": "a"}}}, map[string]any{"cidr": "b"}}, "peer": []any{},
	}, want: `
resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    peer = []
    rule = [1]
  }
}

resource "cloud_server" "example" {
  dynamic "peer" {
    for_each = terraform_data.unknown.output.peer
    content {
    }
  }

  dynamic "rule" {
    for_each = terraform_data.unknown.output.rule
    content {
      port = 1

      peer {
        cidr = "a"
      }
    }
  }

  dynamic "rule" {
    for_each = terraform_data.unknown.output.rule
    content {
      cidr = "b"
    }
  }
}
`},
	{about: "values that HCL cannot express", config: map[string]any{
		"any": cty.ListValEmpty(cty.String), "name": "a\xff", "tags": map[string]any{"b": "\xfe"}, "size": UnknownNum.RefineNotNull(),
		"limit": cty.UnknownVal(exploretest.Server.BlockTypes["limit"].ImpliedType()), "zone": cty.UnknownVal(exploretest.Server.BlockTypes["zone"].ImpliedType()),
	}, notExact: true, want: `
# Not exact: any is empty, and HCL cannot express its type: list of string
# Not exact: name has bytes that are not UTF-8, which HCL cannot express: "a\xff"
# Not exact: size is unknown with refinements, but Terraform sends an unknown value without refinements
# Not exact: tags has bytes that are not UTF-8, which HCL cannot express: "\xfe"
# Not exact: limit is unknown, and a configuration cannot express unknown blocks of nesting mode single
# Not exact: zone is unknown, and a configuration cannot express unknown blocks of nesting mode map

resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    size = null
  }
}

resource "cloud_server" "example" {
  any  = tolist([])
  name = "a�"
  size = terraform_data.unknown.output.size
  tags = {
    b = "�"
  }
}
`},
	{about: "an element of a set", config: map[string]any{
		"ports": []any{1, 2, UnknownNum}, "peer": []any{map[string]any{"port": 1}, map[string]any{"port": 2, "cidr": UnknownStr}},
	}, then: map[string]any{
		"ports": []any{0, 1, 2}, "peer": []any{map[string]any{"port": 2, "cidr": "b"}, map[string]any{"port": 1}},
	}, want: `
resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    ports = 0
    cidr  = "b"
  }
}

resource "cloud_server" "example" {
  ports = [1, 2, terraform_data.unknown.output.ports]

  peer {
    cidr = terraform_data.unknown.output.cidr
    port = 2
  }

  peer {
    port = 1
  }
}
`},
	{about: "several elements of a set", config: map[string]any{
		"ports": []any{cty.UnknownVal(cty.Number), UnknownNum},
	}, then: map[string]any{"ports": []any{1, 2}}, notExact: true, want: `
# Not exact: ports is unknown in a set, and no single element shows what it becomes

resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    ports   = null
    ports_2 = null
  }
}

resource "cloud_server" "example" {
  ports = [terraform_data.unknown.output.ports, terraform_data.unknown.output.ports_2]
}
`},
	{about: "a provider's own configuration", kind: scenario.Configuration, typeName: "cloud", uses: true, provider: map[string]any{}, config: map[string]any{"region": "eu"}, want: `
provider "cloud" {
  region = "eu"
}

data "cloud_server" "example" {
  name = "a"
}
`},
	{about: "nobody uses it", kind: scenario.Configuration, typeName: "cloud", config: map[string]any{}, notExact: true, want: `
# Not exact: Terraform configures a provider only if a resource or data source uses it

provider "cloud" {
}
`},
	{about: "a provider that knows later", kind: scenario.Configuration, typeName: "cloud", uses: true, config: map[string]any{"region": UnknownStr}, then: map[string]any{"region": "eu"}, want: `
resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    region = "eu"
  }
}

provider "cloud" {
  region = terraform_data.unknown.output.region
}

data "cloud_server" "example" {
  name = "a"
}
`},
	{about: "another name", config: map[string]any{"name": "a"}, naming: Naming{Address: "registry.terraform.io/acme/cloud-beta"},
		provider: map[string]any{"region": "eu", "token": "fake", "endpoints": []any{map[string]any{"url": "x"}}}, want: `
terraform {
  required_providers {
    cloud-beta = {
      source = "acme/cloud-beta"
    }
  }
}

provider "cloud-beta" {
  region = "eu"
  token  = "fake"

  endpoints {
    url = "x"
  }
}

resource "cloud_server" "example" {
  provider = cloud-beta
  name     = "a"
}
`},
	{about: "another namespace", config: map[string]any{"name": "a"}, naming: Naming{Address: "acme/cloud"}, want: `
terraform {
  required_providers {
    cloud = {
      source = "acme/cloud"
    }
  }
}

resource "cloud_server" "example" {
  name = "a"
}
`},
	{about: "another host", config: map[string]any{"name": "a"}, naming: Naming{Address: "example.com/hashicorp/cloud"}, want: `
terraform {
  required_providers {
    cloud = {
      source = "example.com/hashicorp/cloud"
    }
  }
}

resource "cloud_server" "example" {
  name = "a"
}
`},
	{about: "the usual address", config: map[string]any{"name": "a"}, naming: Naming{Address: "hashicorp/cloud"}, want: `
resource "cloud_server" "example" {
  name = "a"
}
`},
	{about: "ephemeral resource", kind: scenario.Ephemeral, config: map[string]any{"name": "a"}, want: `
ephemeral "cloud_server" "example" {
  name = "a"
}
`},
	{about: "hidden", config: map[string]any{
		"password": "secret", "name": "secret", "keys": []any{"a", nil}, "pin": 1234, "vaults": []any{map[string]any{"kind": "ssd", "gb": 1}},
	}, provider: map[string]any{"token": "secret"}, naming: Naming{Hides: func(_, slot string) bool { return true }}, notExact: true, want: `
# Not exact: token is hidden, so replace (secret) with its value
# Not exact: keys is hidden, so replace (secret) with its value
# Not exact: password is hidden, so replace (secret) with its value
# Not exact: pin is hidden, so replace (secret) with its value
# Not exact: vaults is hidden, so replace (secret) with its value

provider "cloud" {
  token = "(secret)"
}

resource "cloud_server" "example" {
  keys     = "(secret)"
  name     = "secret"
  password = "(secret)"
  pin      = "(secret)"
  vaults   = "(secret)"
}
`},
	{about: "hidden and unknown", config: map[string]any{"password": UnknownStr, "keys": cty.UnknownVal(cty.List(cty.String)), "cards": []any{cty.UnknownVal(cardType), map[string]any{"pin": 1234}}},
		then:   map[string]any{"password": "secret", "keys": []any{"a", nil}, "cards": []any{map[string]any{"pin": 1234}, map[string]any{"pin": 1234}}},
		naming: Naming{Hides: func(_, slot string) bool { return true }}, notExact: true, want: `
# Not exact: cards.pin is hidden, so replace (secret) with its value
# Not exact: keys is hidden, so replace (secret) with its value
# Not exact: password is hidden, so replace (secret) with its value

resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    cards = jsonencode({
      pin = "(secret)"
    })
    keys     = jsonencode("(secret)")
    password = "(secret)"
  }
}

resource "cloud_server" "example" {
  cards = [jsondecode(terraform_data.unknown.output.cards), {
    pin = "(secret)"
  }]
  keys     = jsondecode(terraform_data.unknown.output.keys)
  password = terraform_data.unknown.output.password
}
`},
	{about: "hidden in something unknown", config: map[string]any{"cards": cty.UnknownVal(cty.List(cardType))}, then: map[string]any{"cards": []any{map[string]any{"pin": 1234}}},
		naming: Naming{Hides: func(_, slot string) bool { return true }}, notExact: true, want: `
# Not exact: cards.pin is hidden, so replace (secret) with its value

resource "terraform_data" "unknown" {
  # The output is unknown until apply.
  input = {
    cards = jsonencode([{
      pin = "(secret)"
    }])
  }
}

resource "cloud_server" "example" {
  cards = jsondecode(terraform_data.unknown.output.cards)
}
`},
	{about: "hidden and unknown in part", config: map[string]any{"keys": []any{"a", UnknownStr}}, notExact: true,
		naming: Naming{Hides: func(_, slot string) bool { return true }}, want: `
# Not exact: keys is hidden, so replace (secret) with its value

resource "cloud_server" "example" {
  keys = "(secret)"
}
`},
	{about: "function", kind: scenario.Function, naming: Naming{Name: "cloud"}, config: map[string]any{
		"argument_1": "a", "argument_2": nil, "argument_3": []any{1}, "variadic": []any{"b", "c"},
	}, want: `
terraform {
  required_providers {
    cloud = {
      source = "hashicorp/cloud"
    }
  }
}

output "result" {
  value = provider::cloud::parse("a", null, [1], "b", "c")
}
`},
}

// parse is the schema of a function's arguments.
var parse = &configschema.Block{Attributes: Attrs{
	"argument_1": Attr(cty.String, "required"), "argument_2": Attr(cty.Number, "optional"), "argument_3": Attr(cty.Set(cty.Number), "required"),
	scenario.Variadic: Attr(cty.List(cty.String), "optional"),
}}

var cardType = cty.Object(map[string]cty.Type{"pin": cty.Number})

var diskType = (&configschema.Block{Attributes: exploretest.DiskAttrs}).ImpliedType()

// A printout is the configuration that was printed for a scenario.
type printout struct {
	scenario.Scenario
	naming Naming
	exact  bool
	text   string
}

// checkPrinted runs the configurations with one command, each in a module of its own, and checks what
// their providers receive. All configurations or none have values that are known at apply.
func checkPrinted(t *testing.T, all ...printout) {
	t.Helper()
	if _, err := exec.LookPath("terraform"); err != nil {
		t.Skip("there is no terraform on the PATH to ask")
	}
	command := []string{"plan"}
	if all[0].Last().Then != cty.NilVal {
		command = []string{"apply", "-auto-approve"}
	}
	var recorders []*exploretest.Recorder
	providers, files := map[string]*exploretest.Recorder{}, map[string]string{}
	modules := []map[string]string{{"Key": "", "Source": "", "Dir": "."}}
	for i, p := range all {
		seen, provider := p.Scenario, cmp.Or(p.naming.Schema, Compiled(&configschema.Block{}))
		if p.Kind == scenario.Configuration {
			seen, provider = *p.naming.User, p.Schema
		}
		k := &exploretest.Recorder{TypeName: seen.TypeName, Kind: seen.Kind, Schema: seen.Schema, Provider: provider}
		recorders = append(recorders, k.Serve())
		providers[cmp.Or(p.naming.Address, registry+p.naming.Source(p.TypeName))] = k
		name := fmt.Sprintf("m%d", i)
		files[name+"/main.tf"] = p.text
		files["main.tf"] += fmt.Sprintf("module %q {\n  source = \"./%[1]s\"\n}\n", name)
		modules = append(modules, map[string]string{"Key": name, "Source": "./" + name, "Dir": name})
	}
	files[".terraform/modules/modules.json"] = asJSON(t, map[string]any{"Modules": modules})
	var out string
	var err error
	t.Run("terraform", func(t *testing.T) { // at its end, the recorders have ended
		out, err = terraform(t, providers, files, command...)
	})
	if err != nil && !strings.Contains(out, exploretest.Enough) {
		t.Errorf("%v\n%s\n%v", err, out, files)
		return
	}
	for i, p := range all {
		p.checkReceived(t, recorders[i])
	}
}

// checkReceived checks what the provider has received from Terraform.
func (p printout) checkReceived(t *testing.T, k *exploretest.Recorder) {
	t.Helper()
	want, kept := []cty.Value{p.Last().Config}, k.Kept
	if then := p.Last().Then; then != cty.NilVal {
		want = append(want, then)
	}
	if p.Kind == scenario.Configuration {
		kept = k.Configs
	} else if p.Provider != cty.NilVal && !slices.ContainsFunc(k.Configs, p.Provider.RawEquals) {
		t.Errorf("Terraform sent the provider %#v\nwant %#v\n%s", k.Configs, p.Provider, p.text)
	}
	if p.Kind == scenario.Function {
		want = nil
		for _, a := range p.Arguments() {
			want = append(want, a.Value)
		}
	} else {
		for i := range want {
			want[i] = sent(t, p.Schema, want[i])
		}
	}
	if p.exact && !slices.EqualFunc(kept, want, cty.Value.RawEquals) {
		t.Errorf("exact, but Terraform sent %#v\nwant %#v\n%s", kept, want, p.text)
	}
}

// terraform runs the command in a folder with the files, and with the recorders as the providers at the
// addresses. It returns the output and whether the command failed.
func terraform(
	t *testing.T, providers map[string]*exploretest.Recorder, files map[string]string, args ...string,
) (out string, failed error) {
	t.Helper()
	t.Setenv("TF_LOG_SDK", "off") // otherwise the recorder logs each request
	dir := t.TempDir()
	files["terraformrc"] = ""
	disk := fstest.MapFS{}
	for name, text := range files {
		disk[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, disk); err != nil {
		t.Fatal(err)
	}
	served := map[string]any{}
	for address, k := range providers {
		served[address] = serve(t, k, address)
	}
	cmd := exec.CommandContext(t.Context(), "terraform", append(args, "-no-color")...)
	cmd.Dir, cmd.Env = dir, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"TF_CLI_CONFIG_FILE=" + filepath.Join(dir, "terraformrc"), "TF_REATTACH_PROVIDERS=" + asJSON(t, served),
	}
	text, err := cmd.CombinedOutput()
	return string(text), err
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// serve serves the recorder until the test ends. It returns the element of TF_REATTACH_PROVIDERS.
func serve(t *testing.T, k *exploretest.Recorder, address string) (reattach any) {
	t.Helper()
	started, stopped, failed := make(chan *plugin.ReattachConfig), make(chan struct{}), make(chan error, 1)
	go func() {
		failed <- tf6server.Serve(address, func() tfprotov6.ProviderServer { return k },
			tf6server.WithDebug(t.Context(), started, stopped), tf6server.WithGoPluginLogger(hclog.NewNullLogger()))
	}()
	select {
	case err := <-failed:
		t.Fatal("serving the provider: ", err)
	case config := <-started:
		t.Cleanup(func() { <-stopped }) // the test's context ends before
		reattach = map[string]any{
			"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid, "Test": true,
			"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
		}
	}
	return reattach
}

// sent returns the value that a provider receives.
func sent(t *testing.T, schema *objchange.Schema, v cty.Value) cty.Value {
	t.Helper()
	message, err := tfconv.Encode6(v, schema.ImpliedType())
	if err == nil {
		v, err = tfconv.Decode6(message, schema.ImpliedType())
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestHCL(t *testing.T) {
	schema := Compiled(exploretest.Server)
	providerSchema := Compiled(exploretest.ProviderBlock)
	for _, test := range hclCases {
		t.Run(test.about, func(t *testing.T) {
			n := test.naming
			n.Schema = providerSchema
			schema := schema
			switch test.kind {
			case scenario.Configuration:
				schema = providerSchema
			case scenario.Function:
				schema, test.typeName = Compiled(parse), "parse"
			}
			if test.uses {
				n.User = &scenario.Scenario{Kind: scenario.Data, TypeName: "cloud_server", Schema: Compiled(exploretest.Server),
					Steps: []scenario.Step{{Config: exploretest.ValueOf(t, Compiled(exploretest.Server), map[string]any{"name": "a"})}}}
			}
			s := scenario.Scenario{Kind: test.kind, TypeName: cmp.Or(test.typeName, "cloud_server"), Schema: schema,
				Steps: []scenario.Step{{Config: exploretest.ValueOf(t, schema, test.config), Then: exploretest.ValueOf(t, schema, test.then)}}, Provider: exploretest.ValueOf(t, providerSchema, test.provider)}
			if s.Kind == "" {
				s.Kind = scenario.Resource
			}
			text, exact, _ := hclOf(s, s.Last(), n, 0)
			if diff := gocmp.Diff(strings.TrimPrefix(test.want, "\n"), text); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if exact == test.notExact {
				t.Errorf("exact: %v", exact)
			}
			if formatted := string(hclwrite.Format([]byte(text))); formatted != text {
				t.Errorf("not as terraform fmt has it:\n%s", formatted)
			}
			if n.Hides == nil && (s.Kind != scenario.Configuration || n.User != nil) {
				checkPrinted(t, printout{s, n, exact, text})
			}
		})
	}
}

// TestHCLOfAnySchema checks that Terraform sends the values of the scenario to the provider, for
// random schemas and values.
func TestHCLOfAnySchema(t *testing.T) {
	const n = 60
	all := map[bool][]printout{} // by whether something is known at apply
	for i := range n {
		s := anyScenario(t, generate.Seeded(1, uint64(i)))
		s.TypeName = fmt.Sprintf("cloud%d_server", i) // each has a provider
		text, exact, _ := hclOf(s, s.Last(), Naming{}, 0)
		if late := s.Last().Then != cty.NilVal; exact { // otherwise Terraform may send other values
			all[late] = append(all[late], printout{s, Naming{}, exact, text})
		}
	}
	for _, some := range all {
		checkPrinted(t, some...)
	}
	if exactly := len(all[true]) + len(all[false]); exactly*4 < n*3 {
		t.Errorf("only %d of %d are exact", exactly, n)
	}
}

// TestHCLOfRequiredArguments checks that Terraform accepts a dynamic block that never becomes a block,
// although the schema requires arguments and blocks in it.
func TestHCLOfRequiredArguments(t *testing.T) {
	port := Attrs{"port": Attr(cty.Number, "required")}
	rule := Block(configschema.NestingList, port, Blocks{"peer": Block(configschema.NestingList, port)})
	rule.BlockTypes["peer"].MinItems = 2
	schema := Compiled(&configschema.Block{BlockTypes: Blocks{"rule": rule}})
	s := scenario.Scenario{Kind: scenario.Resource, TypeName: "cloud_server", Schema: schema, Steps: []scenario.Step{{
		Config: Object(Obj{"rule": cty.UnknownVal(rule.ImpliedType())}), Then: Object(Obj{"rule": cty.ListValEmpty(rule.Block.ImpliedType())}),
	}}}
	text, exact, _ := hclOf(s, s.Last(), Naming{}, 0)
	if !exact {
		t.Error(text)
	}
	checkPrinted(t, printout{s, Naming{}, exact, text})
}

// anyScenario returns a random scenario. If the configuration has unknown values, it also has a
// later known configuration.
func anyScenario(t *testing.T, d generate.Decider) scenario.Scenario {
	t.Helper()
	s := scenario.Scenario{Kind: scenario.Resource, TypeName: "cloud_server"}
	for {
		block := d.AnySchema()
		simplify(block)
		if _, err := tfconv.SchemaTo6(&configschema.Schema{Block: block}); err != nil {
			continue // the protocol does not support the schema
		}
		var st scenario.Step
		var err error
		s.Schema = Compiled(block)
		st.Config, err = cty.Transform(d.Value(block, generate.NoValue, generate.AsConfig), func(_ cty.Path, v cty.Value) (cty.Value, error) {
			switch {
			case !v.IsKnown():
				v = cty.UnknownVal(v.Type()) // without refinements
			case v.Type() == cty.Number && !v.IsNull():
				v = cty.MustParseNumberVal(string(placeholder.NumberText(v.AsBigFloat()))) // in the precision of HCL
			}
			return v, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !st.Config.IsWhollyKnown() {
			st.Then = d.Complete(parts.RootOf(block).Fields, st.Config, 0, false)
		}
		s.Steps = []scenario.Step{st}
		if message, err := tfconv.Encode6(st.Config, s.Schema.ImpliedType()); err == nil {
			if _, err = tfconv.Decode6(message, s.Schema.ImpliedType()); err == nil {
				return s // no list has elements of several types
			}
		}
	}
}

// simplify allows any number of blocks, and removes write-only attributes, because Terraform 1.11.4
// crashes with write-only attributes in maps.
func simplify(block *configschema.Block) {
	for _, a := range block.Attributes {
		if a.WriteOnly = false; a.NestedType != nil {
			simplify(a.NestedType.Block())
		}
	}
	for _, nb := range block.BlockTypes {
		nb.MinItems, nb.MaxItems = 0, 0
		simplify(&nb.Block)
	}
}
