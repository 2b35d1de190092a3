//go:build !unix

package ignore

import "os"

// trust trusts each file where who may write it is not in its mode.
func trust(string, *os.File) error { return nil }
