package playground

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrongChecksumOfAxeIsRefused checks that the script refuses a download of axe-core with a
// wrong checksum.
func TestWrongChecksumOfAxeIsRefused(t *testing.T) {
	for _, program := range []string{"bash", "node", "tar"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	script, err := filepath.Abs("../../.ci/axe")
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	const npm = `#!/bin/sh
mkdir "$4/package" && echo bad >"$4/package/axe.min.js" && tar -czf "$4/axe-core-4.14.1.tgz" -C "$4" package && rm -r "$4/package"
`
	if err := os.WriteFile(filepath.Join(bin, "npm"), []byte(npm), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", script, dir)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "axe-core 4.14.1: what npm gives is sha512-") {
		t.Errorf("%v: %s", err, out)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
