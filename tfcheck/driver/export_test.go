package driver

// Time limits.
var (
	SchemaTimeout = &schemaTimeout
	StartTimeout  = &startTimeout
)
