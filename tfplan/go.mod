module github.com/objchange/objchange/tfplan

go 1.26.0

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/hashicorp/terraform-json v0.28.0
	github.com/objchange/objchange v0.1.0
	github.com/objchange/objchange/internal/jsonpos v0.1.0
	github.com/zclconf/go-cty v1.18.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/apparentlymart/go-textseg/v15 v15.0.0 // indirect
	github.com/hashicorp/go-version v1.9.0 // indirect
	golang.org/x/text v0.11.0 // indirect
)
