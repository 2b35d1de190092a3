//go:build unix

package ignore

// TrustOwner and TrustMode are for tests that cannot make files of others.
var TrustOwner, TrustMode = trustOwner, trustMode
