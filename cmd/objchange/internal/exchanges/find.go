package exchanges

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A Recording is a file with a recording.
type Recording struct {
	Name string // what the report calls it: its folder
	File string
}

// Find returns the recordings that a path names: a file, or what is in a folder, or in
// the folders in that, in order of their names. There may be none.
func Find(path string) ([]Recording, error) {
	info, err := os.Stat(path)
	if missing := (*fs.PathError)(nil); errors.As(err, &missing) { // which names the system's function
		return nil, &fs.PathError{Op: "open", Path: path, Err: missing.Err}
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []Recording{recordingOf(path)}, nil
	}
	if is(filepath.Join(path, Name)) {
		return []Recording{recordingOf(filepath.Join(path, Name))}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var found []Recording
	for _, entry := range entries {
		if file := filepath.Join(path, entry.Name(), Name); is(file) {
			found = append(found, recordingOf(file))
		}
	}
	return found, nil
}

func is(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func recordingOf(file string) Recording {
	name := file
	if full, err := filepath.Abs(file); err == nil {
		name = full
	}
	return Recording{Name: filepath.Base(filepath.Dir(name)), File: file}
}
