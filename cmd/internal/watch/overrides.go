package watch

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/hcl/ast"

	"github.com/objchange/objchange/tfcheck"
)

// Overrides returns the providers that the program, run in the folder, would use instead of
// installed ones because of dev_overrides in the CLI configuration. They are indexed by address. A
// provider has no path if its folder contains no executable. If an address occurs more than once, any
// of the entries counts, as for Terraform. OpenTofu refuses to run.
//
// It ignores problems that the program reports itself. It returns an error for configurations that
// the program may misread.
func Overrides(dir string, program tfcheck.Program) (map[string]Provider, error) {
	for _, name := range configFiles(program) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := hcl.ParseBytes(text) // HCL 1, because HCL 2 reads no quoted names of arguments
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		root, _ := file.Node.(*ast.ObjectList)
		for _, installation := range blocks(root, "provider_installation") { // only the first one counts
			providers, err := overridden(installation, dir, program)
			if err != nil {
				return nil, fmt.Errorf("%s: dev_overrides: %w", name, err)
			}
			return providers, nil
		}
	}
	return nil, nil
}

// WhyNone returns the reasons why no provider was found in the folder, one per line, and then what
// to do. Pass the overrides that have no executable.
func WhyNone(dir string, program tfcheck.Program, overrides []Provider) (why []string) {
	for _, p := range overrides {
		why = append(why, fmt.Sprintf("%s: the folder %s of dev_overrides has no executable file %s: build it there",
			p.Address, p.Folder, binary(p.Address)))
	}
	if len(overrides) > 0 {
		return why
	}
	return []string{
		filepath.Join(dir, lockFile) + " selects no installed provider",
		"the CLI configuration has no dev_overrides",
		fmt.Sprintf(`run "%s init" first, without watch, or name a provider with --provider`, program),
	}
}

// configFiles returns the existing files of the CLI configuration, in order of precedence. They are
// the file that an environment variable names, or else the user's files. OpenTofu reads Terraform's
// file if it has none of its own.
func configFiles(program tfcheck.Program) (names []string) {
	if name := cmp.Or(os.Getenv("TF_CLI_CONFIG_FILE"), os.Getenv("TERRAFORM_CONFIG")); name != "" {
		return existing(name)
	}
	home, dot, suffix := os.Getenv("APPDATA"), "", ".rc"
	if runtime.GOOS != "windows" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return nil // no home folder, so no user's files
		}
		dot, suffix = ".", "rc"
	}
	if program == tfcheck.OpenTofu {
		names = existing(filepath.Join(home, dot+"tofu"+suffix))
		if xdg := os.Getenv("XDG_CONFIG_HOME"); names == nil && xdg != "" && runtime.GOOS != "windows" {
			names = existing(filepath.Join(xdg, "opentofu", "tofurc"))
		}
	}
	if names == nil {
		names = existing(filepath.Join(home, dot+"terraform"+suffix))
	}
	more, _ := os.ReadDir(filepath.Join(home, dot+"terraform.d")) // the program reports errors
	for _, file := range more {
		if name := file.Name(); strings.HasSuffix(name, ".tfrc") || strings.HasSuffix(name, ".tfrc.json") {
			names = append(names, filepath.Join(home, dot+"terraform.d", name))
		}
	}
	return names
}

// existing returns the name if the file exists, and otherwise nil.
func existing(name string) []string {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return []string{name}
}

// blocks returns the blocks with the given name.
func blocks(in *ast.ObjectList, name string) (found []*ast.ObjectType) {
	for _, item := range in.Filter(name).Items {
		body, ok := item.Val.(*ast.ObjectType)
		if ok && (item.Assign.Line == 0 || body.Lbrace.Line == 0) { // in JSON every item is assigned, without a line
			found = append(found, body)
		}
	}
	return found
}

// overridden returns the providers of the installation block.
func overridden(installation *ast.ObjectType, dir string, program tfcheck.Program) (map[string]Provider, error) {
	providers := map[string]Provider{}
	for _, block := range blocks(installation.List, "dev_overrides") {
		var folders map[string]string
		if err := hcl.DecodeObject(&folders, block); err != nil {
			return nil, err
		}
		for _, source := range slices.Sorted(maps.Keys(folders)) {
			p, err := override(source, folders[source], dir, program)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", source, err)
			}
			providers[p.Address] = p
		}
	}
	return providers, nil
}

// override returns the provider in a folder. Terraform expands environment variables in the folder,
// and OpenTofu does not.
func override(source, folder, dir string, program tfcheck.Program) (Provider, error) {
	address, err := Address(source, Host(program))
	if program != tfcheck.OpenTofu {
		folder = os.Expand(folder, func(name string) string {
			value, ok := os.LookupEnv(name)
			if !ok {
				err = errors.Join(err, fmt.Errorf("the environment has no variable %s", name))
			}
			return value
		})
	}
	if err != nil {
		return Provider{}, err
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(dir, folder)
	}
	path, err := filepath.Abs(folder)
	return Provider{Address: address, Folder: path, Path: executableIn(path, address)}, err
}

// binary returns the file name of the provider's executable without a version.
func binary(address string) string {
	return "terraform-provider-" + address[strings.LastIndex(address, "/")+1:]
}

// executableIn returns the path of the provider's executable in the folder, or "".
func executableIn(folder, address string) string {
	files, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	prefix := binary(address)
	i := slices.IndexFunc(files, func(f fs.DirEntry) bool {
		rest, ok := strings.CutPrefix(f.Name(), prefix)
		return ok && !f.IsDir() && (rest == "" || rest == ".exe" || strings.HasPrefix(rest, "_"))
	})
	if i < 0 || !executable(filepath.Join(folder, files[i].Name())) {
		return ""
	}
	return filepath.Join(folder, files[i].Name())
}
