package watch

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/dirhash"
)

// write writes an executable file.
func write(t *testing.T, text string, name ...string) {
	t.Helper()
	file := filepath.Join(name...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// link makes a link to a folder. Windows requires a privilege for it.
func link(t *testing.T, to, name string) {
	t.Helper()
	err := os.Symlink(to, name)
	if err != nil && runtime.GOOS == "windows" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestInstalledFindsTheLockedVersion checks that Installed finds the locked version of each
// provider, also behind links to a cache.
func TestInstalledFindsTheLockedVersion(t *testing.T) {
	platform := runtime.GOOS + "_" + runtime.GOARCH
	for _, data := range []string{"", "elsewhere", t.TempDir()} {
		t.Setenv("TF_DATA_DIR", data)
		dir, cache := t.TempDir(), t.TempDir()
		root := filepath.Join(dir, ".terraform", "providers")
		if data != "" {
			root = filepath.Join(dir, data, "providers")
		}
		if filepath.IsAbs(data) {
			root = filepath.Join(data, "providers")
		}
		acme := filepath.Join(root, "registry.terraform.io", "acme")
		write(t, "", acme, "locked", "1.9.0", platform, "terraform-provider-locked_v1.9.0_x5")
		write(t, "", acme, "locked", "1.10.0", platform, "terraform-provider-locked_v1.10.0_x5")
		write(t, "", acme, "unlocked", "1.9.0", platform, "terraform-provider-unlocked_v1.9.0")
		write(t, "", acme, "other", "1.0.0", "plan9_mips", "terraform-provider-other")
		write(t, "", acme, "other", "1.0.0", platform, "LICENSE")
		write(t, "", cache, "terraform-provider-cached_v1")
		write(t, "", acme, "cached", "1.0.0", "no")
		link(t, cache, filepath.Join(acme, "cached", "1.0.0", platform))
		lock := `provider "registry.terraform.io/acme/NAME" {
  version     = "VERSION"
  constraints = "< 2.0.0"
  hashes      = ["h1:x"]
}
`
		for name, version := range map[string]string{"locked": "1.9.0", "cached": "1.0.0", "other": "1.0.0"} {
			lock += strings.NewReplacer("NAME", name, "VERSION", version).Replace(lock[:strings.Index(lock, "}\n")+2])
		}
		write(t, lock, dir, lockFile)
		found, err := Installed(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range slices.SortedFunc(maps.Values(found), func(a, b Provider) int { return strings.Compare(a.Address, b.Address) }) {
			got = append(got, p.Address+" "+filepath.Base(p.Path)+" "+strings.Join(p.Checksums, " "))
		}
		if diff := cmp.Diff([]string{
			"registry.terraform.io/acme/cached terraform-provider-cached_v1 h1:x", "registry.terraform.io/acme/locked terraform-provider-locked_v1.9.0_x5 h1:x",
		}, got); diff != "" {
			t.Errorf("%q (-want +found):\n%s", data, diff)
		}
	}
	dir := t.TempDir()
	if found, err := Installed(dir); len(found) > 0 || err != nil {
		t.Errorf("found %v, %v", found, err)
	}
	write(t, `provider "a" {`, dir, lockFile)
	if _, err := Installed(dir); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, lockFile)+": ") {
		t.Errorf("got %v", err)
	}
}

// TestPackageIsVerifiedWithLockFile checks that verify compares the installed package with the lock
// file, also behind a link. Checksums of archives are ignored.
func TestPackageIsVerifiedWithLockFile(t *testing.T) {
	dir := t.TempDir()
	write(t, "a provider", dir, "package", "terraform-provider-cloud")
	behind := filepath.Join(dir, "link")
	link(t, filepath.Join(dir, "package"), behind)
	sum, err := dirhash.HashDir(filepath.Join(dir, "package"), "", dirhash.Hash1)
	if err != nil {
		t.Fatal(err)
	}
	const changed = "provider acme/cloud: the installed files differ from .terraform.lock.hcl: "
	for _, test := range []struct {
		text, want string
		sums       []string
	}{
		{"a provider", "", []string{"h1:other", "zh:archive", sum}},
		{"another", changed, []string{"h1:other", "zh:archive", sum}},
		{"another", "", []string{"zh:archive"}},
		{"another", "", nil},
	} {
		write(t, test.text, dir, "package", "terraform-provider-cloud")
		path := filepath.Join(behind, "terraform-provider-cloud")
		cloud := Provider{Address: "acme/cloud", Path: path, Checksums: test.sums}
		err := cloud.verify("tofu")
		if (err != nil) != (test.want != "") || err != nil && (!strings.HasPrefix(err.Error(), test.want) || !strings.HasSuffix(err.Error(), `; "tofu init" may fix this`)) {
			t.Errorf("%s, %s: %v", test.text, test.sums, err)
		}
	}
}
