// Package summaries contains the summaries of the errors with which Terraform rejects responses of
// providers.
package summaries

// The summaries.
const (
	InvalidPlan        = "Provider produced invalid plan"
	InconsistentPlan   = "Provider produced inconsistent final plan"
	InconsistentResult = "Provider produced inconsistent result after apply"
	InvalidResult      = "Provider returned invalid result object after apply"
	InvalidObject      = "Provider produced invalid object"
	NullObject         = "Provider produced null object"
	InvalidEphemeral   = "Provider produced invalid ephemeral resource instance"
	InvalidUpgrade     = "Invalid resource state upgrade"
	InvalidMove        = "Provider returned invalid value"
	InvalidDeferral    = "Invalid Deferred Response" // from the SDKs
	InvalidCall        = "Error in function call"
	ImportedNone       = "Import returned no resources"
	ImportedNull       = "Import returned null resource"
	ImportedNothing    = "Cannot import non-existent remote object" // also an ImportedNull of the command import
	ImportedSeveral    = "Multiple import states not supported"
	ImportedWriteOnly  = "Import returned a non-null value for a write-only attribute"
	NotEncoded         = "failed to encode " // the beginning of a summary
	NotEncodedMove     = "Failed to encode source value"
)
