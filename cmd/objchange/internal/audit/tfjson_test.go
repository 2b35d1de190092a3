package audit

import (
	"encoding/json"
	"os"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/objchange/objchange/configschema"
)

// Schemas of terraform-json's types are read by way of their JSON.
func TestSchemasOfTerraformJSON(t *testing.T) {
	text, err := os.ReadFile("../../../../testdata/recordings/time/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	var theirs tfjson.ProviderSchemas
	if err := json.Unmarshal(text, &theirs); err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(&theirs)
	if err != nil {
		t.Fatal(err)
	}
	got, err := configschema.ParseProviderSchemas(written)
	if err != nil {
		t.Fatal(err)
	}
	want, err := configschema.ParseProviderSchemas(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, schema := range want.Providers["registry.terraform.io/hashicorp/time"].ResourceSchemas {
		resource, err := got.Resource("registry.terraform.io/hashicorp/time", name)
		if err != nil || !resource.Block.ImpliedType().Equals(schema.Block.ImpliedType()) || resource.Version != schema.Version {
			t.Errorf("%s: %v, %v", name, resource, err)
		}
	}
}
