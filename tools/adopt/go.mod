module github.com/objchange/objchange/tools/adopt // not released

go 1.26.8

require (
	github.com/google/go-cmp v0.7.0
	github.com/objchange/objchange v0.1.0
	go.yaml.in/yaml/v3 v3.0.4
	golang.org/x/mod v0.31.0
)

require (
	github.com/apparentlymart/go-textseg/v15 v15.0.0 // indirect
	github.com/vmihailenco/msgpack/v5 v5.3.5 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	github.com/zclconf/go-cty v1.18.0 // indirect
	golang.org/x/text v0.11.0 // indirect
)
