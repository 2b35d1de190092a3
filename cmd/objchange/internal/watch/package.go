package watch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/dirhash"

	"github.com/objchange/objchange/tfcheck"
)

// verify holds the package that the provider is in to the checksums of the lock file,
// as Terraform does, which does not for providers that run already.
func (p Provider) verify(program tfcheck.Program) error {
	isOfContent := func(sum string) bool { return strings.HasPrefix(sum, "h1:") }
	if !slices.ContainsFunc(p.Checksums, isOfContent) {
		return nil // it is not locked, or only archives are
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(p.Path))
	if err != nil {
		return err
	}
	sum, err := dirhash.HashDir(dir, "", dirhash.Hash1)
	if err != nil {
		return err
	}
	if !slices.Contains(p.Checksums, sum) {
		return fmt.Errorf(`provider %s: what is installed is not what %s has: %s, with the checksum %s; "%s init" may mend that`, p.Address, lockFile, dir, sum, program)
	}
	return nil
}
