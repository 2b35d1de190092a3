package conformance_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/objchange/objchange/conformance"
)

// TestChecksumsListPublishedFiles checks that the checksum file lists exactly the published files.
func TestChecksumsListPublishedFiles(t *testing.T) {
	want, err := fs.ReadFile(conformance.Corpus(), "SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(conformance.Corpus(), "*/*")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, name := range files {
		data, err := fs.ReadFile(conformance.Corpus(), name)
		if err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("SHA256SUMS (-want +got):\n%s", diff)
	}
}
