// Command user checks a plan with tfplan, as released.
package main

import (
	"fmt"
	"log"
	"strings"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

func main() {
	schemas, err := configschema.ParseProviderSchemas([]byte(`{"format_version": "1.0", "provider_schemas": {}}`))
	if err != nil {
		log.Fatal(err)
	}
	report, err := tfplan.Check(schemas, strings.NewReader(`{"format_version": "1.2", "resource_changes": []}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Notes)
}
