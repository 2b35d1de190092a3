package exchanges

import (
	"io/fs"
	"os"
	"path/filepath"
)

// A Recording is a file with a recording.
type Recording struct {
	Name string // for reports: the path of its folder below the searched folder
	File string
}

// Find returns the recordings at a path, sorted by name. A path is a file, or a folder that is
// searched at any depth. "-" is standard input.
func Find(path string) (found []Recording, err error) {
	if path == "-" {
		return []Recording{{Name: path, File: path}}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []Recording{{Name: filepath.Base(filepath.Dir(path)), File: path}}, nil
	}
	root, err := filepath.EvalSymlinks(path) // WalkDir does not follow links
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if filepath.Base(file) == Name && !entry.IsDir() {
			within, _ := filepath.Rel(root, file)
			name := filepath.ToSlash(filepath.Dir(within))
			found = append(found, Recording{Name: name, File: filepath.Join(path, within)})
		}
		return nil
	})
	return found, err
}
