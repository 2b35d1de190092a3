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

// env returns an environment for the go command without a workspace. The go command keeps modules
// in the folder cache. It gets modules of the release from the release's proxy. It gets all other
// modules from the user's module cache, which serves as a proxy without network access, and then from
// the configured proxy.
func (r *release) env(cache string) []string { return append(os.Environ(), r.settings(cache)...) }

func (r *release) settings(cache string) []string {
	downloaded := fileURL(filepath.Join(r.configured.GOMODCACHE, "cache", "download"))
	return []string{
		"GOWORK=off",
		"GOMODCACHE=" + filepath.Join(r.dir, cache),
		"GOPROXY=" + strings.Join([]string{fileURL(r.proxy()), downloaded, r.configured.GOPROXY}, ","),
		"GOPRIVATE=", "GONOPROXY=",
		"GONOSUMDB=" + strings.TrimPrefix(r.configured.GONOSUMDB+","+r.modules[0].Path, ","),
		// Keep the build cache usable although the folders differ from run to run, and make the
		// module cache of one run easy to delete.
		"GOFLAGS=" + strings.TrimSpace(r.configured.GOFLAGS+" -trimpath -modcacherw"),
	}
}

// goEnv is the environment that the go command reports.
type goEnv struct{ GOMODCACHE, GOPROXY, GONOSUMDB, GOFLAGS string }

func readGoEnv(root string) (e goEnv, err error) {
	out, err := workspace.Run(root, nil, "go", "env", "-json")
	if err == nil {
		err = json.Unmarshal([]byte(out), &e)
	}
	return e, err
}

// writeEnv writes the environment as a shell script, for checks of the tree.
func (r *release) writeEnv() error {
	var script strings.Builder
	for _, setting := range r.settings("mod") {
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
