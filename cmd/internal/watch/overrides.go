package watch

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl"
	"github.com/hashicorp/hcl/hcl/ast"
	"github.com/hashicorp/hcl/hcl/parser"

	"github.com/objchange/objchange/tfcheck"
)

// Overrides returns the providers that the program, run in the folder, would use instead of
// installed ones because of dev_overrides in the CLI configuration. They are indexed by address. A
// provider has no path if its folder contains no executable.
//
// It ignores problems that the program reports itself. It returns an error for configurations that
// the program may misread.
func Overrides(dir string, program tfcheck.Program) (map[string]Provider, error) {
	for _, name := range configFiles(program) {
		installation, err := readInstallation(name)
		if err != nil {
			return nil, err
		}
		if installation != nil { // only the first one counts
			return overridden(name, installation, dir, program)
		}
	}
	return nil, nil
}

// WhyNone returns the reasons why no provider was found in the folder, one per line, and then what
// to do. Pass the overrides that have no executable.
func WhyNone(dir string, program tfcheck.Program, overrides []Provider) (why []string) {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	for _, p := range overrides {
		why = append(why, fmt.Sprintf("%s: the folder %s of dev_overrides has no executable file %s: build it there",
			p.Address, p.Folder, binary(p.Address)))
	}
	if len(overrides) > 0 {
		return why
	}
	if lock := filepath.Join(dir, lockFile); len(existing(lock)) == 0 {
		why = append(why, lock+" does not exist")
	} else {
		why = append(why, "none of the providers in "+lock+" is installed")
	}
	if files := configFiles(program); len(files) > 0 {
		why = append(why, "the CLI configuration has no dev_overrides: "+strings.Join(files, ", "))
	} else {
		why = append(why, "there is no CLI configuration with dev_overrides")
	}
	return append(why, fmt.Sprintf(`run "%s init" first, without watch, or name a provider with --provider`, program))
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

// readInstallation returns the first provider_installation block of a file, or nil. It uses the
// parser of HCL 1, because the names of the arguments are quoted addresses, which HCL 2 does not
// read.
func readInstallation(name string) (*ast.ObjectType, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := hcl.ParseBytes(text)
	if at := (*parser.PosError)(nil); errors.As(err, &at) {
		return nil, fmt.Errorf("%s:%d: %w", name, at.Pos.Line, at.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if root, ok := file.Node.(*ast.ObjectList); ok {
		for _, block := range blocks(root, "provider_installation") {
			return block, nil
		}
	}
	return nil, nil
}

// blocks returns the blocks with the given name.
func blocks(in *ast.ObjectList, name string) (found []*ast.ObjectType) {
	for _, item := range in.Items {
		body, ok := item.Val.(*ast.ObjectType)
		assigned := item.Assign.Line > 0 && line(item) > 0 // in JSON every item is assigned and has no line
		if ok && len(item.Keys) == 1 && item.Keys[0].Token.Value() == name && !assigned {
			found = append(found, body)
		}
	}
	return found
}

// line returns the line of an item, or 0 in JSON.
func line(item *ast.ObjectItem) int { return item.Pos().Line }

// overridden returns the providers of the installation block. If an address occurs more than once,
// the last entry counts. Terraform uses any of the entries if they spell the address differently,
// and OpenTofu refuses to run.
func overridden(
	file string, installation *ast.ObjectType, dir string, program tfcheck.Program,
) (map[string]Provider, error) {
	providers := map[string]Provider{}
	for _, block := range blocks(installation.List, "dev_overrides") {
		for _, item := range block.List.Items {
			p, err := override(item, dir, program)
			if at := line(item); err != nil && at > 0 {
				return nil, fmt.Errorf("%s:%d: dev_overrides: %w", file, at, err)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: dev_overrides: %w", file, err)
			}
			providers[p.Address] = p
		}
	}
	return providers, nil
}

// override parses one entry ADDRESS = FOLDER. Terraform expands environment variables in the
// folder, and OpenTofu does not.
func override(item *ast.ObjectItem, dir string, program tfcheck.Program) (Provider, error) {
	source, folder := fmt.Sprint(item.Keys[0].Token.Value()), ""
	if err := hcl.DecodeObject(&folder, item.Val); err != nil {
		return Provider{}, fmt.Errorf("the folder of %q is not a string", source)
	}
	address, err := Address(source, Host(program))
	if err != nil {
		return Provider{}, fmt.Errorf("%q is not the address of a provider: %w", source, err)
	}
	if program != tfcheck.OpenTofu {
		folder = os.Expand(folder, func(name string) string {
			value, ok := os.LookupEnv(name)
			if !ok {
				err = fmt.Errorf("the folder of %q: the environment has no variable %s", source, name)
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
