module github.com/objchange/objchange/tfconv

go 1.25.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/hashicorp/terraform-plugin-go v0.30.0
	github.com/objchange/objchange v0.1.0
	github.com/vmihailenco/msgpack/v5 v5.4.1
	github.com/zclconf/go-cty v1.18.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/apparentlymart/go-textseg/v15 v15.0.0 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	golang.org/x/text v0.32.0 // indirect
)
