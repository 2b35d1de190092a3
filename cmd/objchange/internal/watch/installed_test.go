package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/dirhash"
)

// write writes a file, which can be executed.
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

// Of each provider the version is found that is locked, as Terraform asks for; links lead to a
// cache.
func TestInstalled(t *testing.T) {
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
		const registry = "registry.terraform.io"
		write(t, "", root, registry, "acme", "locked", "1.9.0", platform, "terraform-provider-locked_v1.9.0_x5")
		write(t, "", root, registry, "acme", "locked", "1.10.0", platform, "terraform-provider-locked_v1.10.0_x5")
		write(t, "", root, registry, "acme", "unlocked", "1.9.0", platform, "terraform-provider-unlocked_v1.9.0")
		write(t, "", root, registry, "acme", "other", "1.0.0", "plan9_mips", "terraform-provider-other")
		write(t, "", root, registry, "acme", "other", "1.0.0", platform, "LICENSE")
		write(t, "", cache, "terraform-provider-cached_v1")
		write(t, "", root, registry, "acme", "cached", "1.0.0", "no")
		if err := os.Symlink(cache, filepath.Join(root, registry, "acme", "cached", "1.0.0", platform)); err != nil {
			t.Skip(err)
		}
		write(t, `# This file is maintained by "terraform init".
provider "registry.terraform.io/acme/locked" {
  version     = "1.9.0"
  constraints = "< 2.0.0"
  hashes      = ["h1:x"]
}
provider "registry.terraform.io/acme/cached" {
  version = "1.0.0"
}
`, dir, lockFile)
		found, err := Installed(dir)
		if err != nil {
			t.Fatal(err)
		}
		for address, p := range found {
			p.Path = filepath.Base(p.Path)
			found[address] = p
		}
		want := map[string]Provider{
			registry + "/acme/cached": {Address: registry + "/acme/cached", Path: "terraform-provider-cached_v1"},
			registry + "/acme/locked": {Address: registry + "/acme/locked", Path: "terraform-provider-locked_v1.9.0_x5", Checksums: []string{"h1:x"}},
		}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("%q (-want +found):\n%s", data, diff)
		}
	}
}

func TestInstalledNot(t *testing.T) {
	t.Setenv("TF_DATA_DIR", "")
	dir := t.TempDir()
	if found, err := Installed(dir); len(found) > 0 || err != nil {
		t.Errorf("found %v, %v", found, err)
	}
	write(t, `provider "a" {`, dir, lockFile)
	if _, err := Installed(dir); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, lockFile)+": ") {
		t.Errorf("got %v", err)
	}
}

// What is installed must be what is locked, also behind a link; of archives nothing is
// known that can be compared.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	write(t, "a provider", dir, "package", "terraform-provider-cloud")
	write(t, "notes", dir, "package", "README")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "package"), link); err != nil {
		t.Skip(err)
	}
	sum, err := dirhash.HashDir(filepath.Join(dir, "package"), "", dirhash.Hash1)
	if err != nil {
		t.Fatal(err)
	}
	cloud := Provider{Address: "acme/cloud", Path: filepath.Join(link, "terraform-provider-cloud"), Checksums: []string{"h1:other", "zh:archive", sum}}
	if err := cloud.verify("terraform"); err != nil {
		t.Error(err)
	}
	write(t, "something else", dir, "package", "README")
	err = cloud.verify("tofu")
	if err == nil || !strings.HasPrefix(err.Error(), "provider acme/cloud: what is installed is not what .terraform.lock.hcl has") || !strings.HasSuffix(err.Error(), `; "tofu init" may mend that`) {
		t.Errorf("got %v", err)
	}
	for _, none := range [][]string{nil, {"zh:archive"}} {
		cloud.Checksums = none
		if err := cloud.verify("terraform"); err != nil {
			t.Error(err)
		}
	}
}
