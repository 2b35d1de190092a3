package watch

import (
	"cmp"
	"encoding/json"
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

// A Provider is an installed or named provider that objchange can watch.
type Provider struct {
	Address string // such as registry.terraform.io/hashicorp/time
	Path    string // of the executable
	// Checksums are the checksums of the package from the dependency lock file.
	Checksums []string
	Named     bool // by the user, with --provider
	// Folder is the folder from dev_overrides, or "" for other providers.
	Folder string
}

// lockFile is the name of the dependency lock file.
const lockFile = ".terraform.lock.hcl"

// Installed returns the providers that are installed for the workspace in the folder, by address.
// It returns only those that Terraform or OpenTofu would start: the lock file must select the
// installed version. The map is empty if the workspace is not initialized.
func Installed(dir string) (map[string]Provider, error) {
	locked, err := readLock(filepath.Join(dir, lockFile))
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(filepath.Join(dataDir(dir), "providers"))
	if err != nil {
		return nil, err
	}
	// The parts are host, namespace, type, version and platform. A folder may be a link to a cache.
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
		if pinned && version == wanted.Version && strings.HasPrefix(file, binary(address)) && executable(path) {
			providers[address] = Provider{Address: address, Path: path, Checksums: wanted.Checksums}
		}
	}
	return providers, nil
}

// dataDir returns the folder with the data of the workspace in the folder.
func dataDir(dir string) string {
	data := cmp.Or(os.Getenv("TF_DATA_DIR"), ".terraform")
	if filepath.IsAbs(data) {
		return data
	}
	return filepath.Join(dir, data)
}

// StateStore returns the address of the provider that stores the state of the workspace in the
// folder, or "" if no provider does. Terraform does not accept a running provider for it.
func StateStore(dir string) string {
	text, err := os.ReadFile(filepath.Join(dataDir(dir), "terraform.tfstate"))
	if err != nil {
		return ""
	}
	var file struct {
		StateStore struct {
			Provider struct {
				Source string `json:"source"`
			} `json:"provider"`
		} `json:"state_store"`
	}
	if json.Unmarshal(text, &file) != nil {
		return "" // Terraform reports it
	}
	return file.StateStore.Provider.Source
}

func executable(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// A lockedProvider is one provider block of the lock file.
type lockedProvider struct {
	Address   string   `hcl:"address,label"`
	Version   string   `hcl:"version,optional"`
	Checksums []string `hcl:"hashes,optional"`
	Rest      hcl.Body `hcl:",remain"`
}

// readLock returns the provider blocks of the lock file, by address. It returns nil if the file
// does not exist.
func readLock(name string) (map[string]lockedProvider, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file struct {
		Providers []lockedProvider `hcl:"provider,block"`
		Rest      hcl.Body         `hcl:",remain"`
	}
	if err := hclsimple.Decode("lock.hcl", text, nil, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all := map[string]lockedProvider{}
	for _, p := range file.Providers {
		all[p.Address] = p
	}
	return all, nil
}

// verify compares the provider's package with the checksums in the lock file. Terraform makes this
// check itself, but not for providers that run already.
func (p Provider) verify(program tfcheck.Program) error {
	isOfContent := func(sum string) bool { return strings.HasPrefix(sum, "h1:") }
	if !slices.ContainsFunc(p.Checksums, isOfContent) {
		return nil // not locked, or only checksums of archives
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
		return fmt.Errorf("provider %s: the installed files differ from %s: %s has the checksum %s; "+
			`"%s init" may fix this`, p.Address, lockFile, dir, sum, program)
	}
	return nil
}
