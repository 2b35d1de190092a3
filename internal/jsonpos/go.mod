module github.com/objchange/objchange/internal/jsonpos

go 1.26.0

require github.com/go-json-experiment/json v1.27.2
