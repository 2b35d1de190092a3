package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/objchange/objchange/tools/internal/workspace"
)

// env returns an environment in which the go command knows no workspace, keeps modules
// in the named folder, and has those of the release from the caches of the named
// folders; all others from the machine's own module cache, which serves as a proxy so
// that no network is needed, and then from where it always gets them.
func (r *release) env(cache string, proxies ...string) []string {
	return append(os.Environ(), r.settings(cache, proxies...)...)
}

func (r *release) settings(cache string, proxies ...string) []string {
	var from []string
	for _, dir := range proxies {
		from = append(from, fileURL(filepath.Join(r.dir, dir, "cache", "download")))
	}
	from = append(from, fileURL(filepath.Join(r.machine.GOMODCACHE, "cache", "download")), r.machine.GOPROXY)
	return []string{
		"GOWORK=off",
		"GOMODCACHE=" + filepath.Join(r.dir, cache),
		"GOPROXY=" + strings.Join(from, ","),
		"GOPRIVATE=", "GONOPROXY=",
		"GONOSUMDB=" + strings.TrimPrefix(r.machine.GONOSUMDB+","+r.modules[0].Path, ","),
		// Folders that differ from run to run must not make the build cache useless,
		// and a module cache that is made for one run shall be easy to delete.
		"GOFLAGS=" + strings.TrimSpace(r.machine.GOFLAGS+" -trimpath -modcacherw"),
	}
}

// goEnv is what the go command says of its environment.
type goEnv struct{ GOMODCACHE, GOPROXY, GONOSUMDB, GOFLAGS string }

func readGoEnv(root string) (e goEnv, err error) {
	out, err := workspace.Run(root, nil, "go", "env", "-json")
	if err == nil {
		err = json.Unmarshal([]byte(out), &e)
	}
	return e, err
}

// writeEnv writes the environment for a shell to read, for checks of the tree.
func (r *release) writeEnv() error {
	var script strings.Builder
	for _, setting := range r.settings("mod", "proxy") {
		name, value, _ := strings.Cut(setting, "=")
		fmt.Fprintf(&script, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
	}
	return os.WriteFile(filepath.Join(r.dir, "env"), []byte(script.String()), 0o644)
}

// fileURL returns the URL of an absolute path, on Windows too.
func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
