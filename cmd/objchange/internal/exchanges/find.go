package exchanges

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A Recording is a file with a recording.
type Recording struct {
	Name string // as reports name it: the path of its folder below the one that was searched
	File string
}

// Find returns the recordings that a path names, in order of their names: a file, or all
// that are in a folder, however deep, also in a linked folder. "-" is standard input.
func Find(path string) (found []Recording, err error) {
	if path == "-" {
		return []Recording{{Name: path, File: path}}, nil
	}
	info, err := os.Stat(path)
	if missing := (*fs.PathError)(nil); errors.As(err, &missing) { // which names the system's function
		return nil, &fs.PathError{Op: "open", Path: path, Err: missing.Err}
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []Recording{{Name: filepath.Base(filepath.Dir(path)), File: path}}, nil
	}
	root, err := filepath.EvalSymlinks(path) // WalkDir follows no links
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if inside := filepath.Join(file, Name); entry.Type()&fs.ModeSymlink != 0 && exists(inside) {
			file = inside
		}
		if filepath.Base(file) == Name && !entry.IsDir() {
			within, _ := filepath.Rel(root, file)
			found = append(found, Recording{Name: filepath.ToSlash(filepath.Dir(within)), File: filepath.Join(path, within)})
		}
		return nil
	})
	return found, err
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Shown returns what messages call the file.
func (r Recording) Shown() string {
	if r.File == "-" {
		return "stdin"
	}
	return r.File
}
