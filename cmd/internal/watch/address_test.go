package watch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/internal/testkit"
)

// TestProviderIsNamedByAddressAndPath checks which texts name a provider. The input is a program, and the text.
func TestProviderIsNamedByAddressAndPath(t *testing.T) {
	testkit.Parts(t, "testdata/named.golden", "canary", func(input string) string {
		name, text, _ := strings.Cut(input, " ")
		program, _ := ProgramOf(filepath.FromSlash(name))
		p, err := Named(text, Host(program))
		if err != nil {
			return err.Error()
		}
		if !filepath.IsAbs(p.Path) {
			t.Errorf("%s is not absolute", p.Path)
		}
		return fmt.Sprintf("%s: %s, %s", program, p.Address, filepath.Base(p.Path))
	})
}
