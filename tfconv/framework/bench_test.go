package framework_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/objchange/objchange/tfconv/framework"
)

// BenchmarkResource measures the conversion of a schema with a hundred attributes.
func BenchmarkResource(b *testing.B) {
	large := schema.Schema{Attributes: map[string]schema.Attribute{}}
	for i := range 100 {
		large.Attributes[fmt.Sprintf("attr%d", i)] = schema.StringAttribute{Optional: true}
	}
	for b.Loop() {
		if _, err := framework.Resource(b.Context(), large); err != nil {
			b.Fatal(err)
		}
	}
}
