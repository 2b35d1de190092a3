module github.com/objchange/objchange/internal/jsonpos

go 1.25.0

require github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875
