package jsonpos

// A Kind is what a JSON file contains.
type Kind string

// The kinds of files that have something to do with objchange.
const (
	Unknown   Kind = ""
	Document  Kind = "a document"
	Plan      Kind = "a plan"
	State     Kind = "a state"
	Schemas   Kind = "the schemas of providers"
	StateFile Kind = "a state file"
	Report    Kind = "a report"
)

// KindOf returns the kind of a file that is an object with these members.
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
