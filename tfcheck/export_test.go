package tfcheck

// Unmet is what Expect tells of a value.
var Unmet = unmet
