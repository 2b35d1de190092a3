package jsonpos

// A Kind is the kind of content of a JSON file.
type Kind string

// The kinds of files that objchange recognizes.
const (
	Unknown   Kind = ""
	Document  Kind = "a document"
	Plan      Kind = "a plan"
	State     Kind = "a state"
	Schemas   Kind = "the schemas of providers"
	StateFile Kind = "a state file"
	Report    Kind = "a report"
)

// KindOf returns the kind of a file that contains an object with these members.
func KindOf(has func(member string) bool) Kind {
	switch {
	case has("schema"):
		return Document
	case has("planned_values"), has("resource_changes"):
		return Plan
	case has("provider_schemas"):
		return Schemas
	case has("lineage"):
		return StateFile
	case has("subjects"):
		return Report
	case has("format_version") && has("values"):
		return State
	}
	return Unknown
}
