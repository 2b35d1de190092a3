package workspace

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Run runs a command in the folder with the environment, or with the current environment if env is
// nil. It returns the standard output. An error contains all output.
func Run(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if err != nil {
		text := string(out)
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			text += string(exit.Stderr)
		}
		command := strings.Join(cmd.Args, " ")
		return "", fmt.Errorf("%s (in %s): %w\n%s", command, filepath.ToSlash(dir), err, strings.TrimSpace(text))
	}
	return string(out), nil
}

// Git runs git in the folder and returns its output without the last newline.
func Git(dir string, args ...string) (string, error) {
	out, err := Run(dir, nil, "git", args...)
	return strings.TrimSuffix(out, "\n"), err
}

// LastRelease returns the highest tag of the root module among the ancestors of the current commit,
// or "" if there are no tags.
func LastRelease(root string) (string, error) {
	tags, err := Git(root, "tag", "--list", "v[0-9]*", "--merged", "HEAD", "--sort=-version:refname")
	last, _, _ := strings.Cut(tags, "\n")
	return last, err
}
