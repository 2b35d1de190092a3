//go:build unix

package ignore

// TrustOwner is for tests that cannot make files of others.
var TrustOwner = trustOwner
