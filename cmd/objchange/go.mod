module github.com/objchange/objchange/cmd/objchange

go 1.25

require (
	github.com/objchange/objchange v0.0.0
	github.com/zclconf/go-cty v1.19.0
)

replace github.com/objchange/objchange => ../..
