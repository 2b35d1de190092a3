//go:build unix

package ignore

// TrustOwner and TrustMode are for tests that cannot create files of other users.
var TrustOwner, TrustMode = trustOwner, trustMode
