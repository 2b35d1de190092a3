// Package harness holds an implementation to the cases of package conformance: one that
// is a program, or what one has answered in a file.
package harness
