package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsimple"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/objchange/objchange/tfcheck"
)

// A Provider is one to be watched.
type Provider struct {
	Address string // as registry.terraform.io/hashicorp/time
	Path    string // of its executable
	// Checksums are those of the dependency lock file, for the folder of the executable.
	Checksums []string
	Named     bool // by the user, who means it to be watched
	// Folder is that of dev_overrides, "" if it is not from there.
	Folder string
}

// lockFile says which version of a provider is in use, and what is in it.
const lockFile = ".terraform.lock.hcl"

// Installed returns the providers that are installed in the workspace in the folder, by
// address: those that Terraform or OpenTofu would start, which must be in the lock file. There are none if the workspace is not initialised.
func Installed(dir string) (map[string]Provider, error) {
	data := os.Getenv("TF_DATA_DIR")
	if data == "" {
		data = ".terraform"
	}
	if !filepath.IsAbs(data) {
		data = filepath.Join(dir, data)
	}
	locked, err := readLock(filepath.Join(dir, lockFile))
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(filepath.Join(data, "providers"))
	if err != nil {
		return nil, err
	}
	// Host, namespace, type, version and platform, of which links lead to a cache.
	found, err := fs.Glob(os.DirFS(root), "*/*/*/*/"+runtime.GOOS+"_"+runtime.GOARCH+"/terraform-provider-*")
	if err != nil {
		return nil, err
	}
	providers := map[string]Provider{}
	for _, name := range found {
		parts := strings.Split(name, "/")
		address, version, file := strings.Join(parts[:3], "/"), parts[3], parts[5]
		wanted, pinned := locked[address]
		path := filepath.Join(root, filepath.FromSlash(name))
		if pinned && version == wanted.Version && strings.HasPrefix(file, "terraform-provider-"+parts[2]) && executable(path) {
			providers[address] = Provider{Address: address, Path: path, Checksums: wanted.Checksums}
		}
	}
	return providers, nil
}

func executable(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// A locked is what the lock file has of a provider.
type locked struct {
	Address   string   `hcl:"address,label"`
	Version   string   `hcl:"version,optional"`
	Checksums []string `hcl:"hashes,optional"`
	Rest      hcl.Body `hcl:",remain"`
}

// readLock returns what the lock file has, by address.
func readLock(name string) (map[string]locked, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct {
		Providers []locked `hcl:"provider,block"`
		Rest      hcl.Body `hcl:",remain"`
	}
	if err := hclsimple.Decode("lock.hcl", text, nil, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := map[string]locked{}
	for _, p := range file.Providers {
		all[p.Address] = p
	}
	return all, nil
}

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
