// Package recording judges what providers recorded of a run of Terraform: the
// requests of Core and their responses, as terraform-plugin-go writes them to
// the folder that TF_LOG_SDK_PROTO_DATA_DIR names.
package recording

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/configschema"
)

// What is in the folder of a recording.
const (
	LogName     = "log.jsonl"
	DataName    = "data"
	SchemasName = "schemas.json" // or in a folder above
)

// A Recording is one run of Terraform: the log, mixed with whatever else, and
// the data files that it names.
type Recording struct {
	Name string // what the report calls it
	Log  string // the name of the log
	Data fs.FS
	Dir  string // the name of the folder that Data is

	Home    string // the folder that is the recording, or has the log
	Schemas *configschema.ProviderSchemas
	Legacy  bool // its providers use the legacy SDK, which no recording tells
}

// Find returns the recordings in dir: dir itself, or else those of its
// subfolders that are one, in order of their names. There may be none. A recording is
// a folder with a log.jsonl and a folder data.
func Find(dir string) ([]Recording, error) {
	if isRecording(dir) {
		return []Recording{in(dir)}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []Recording
	for _, entry := range entries {
		if sub := filepath.Join(dir, entry.Name()); isRecording(sub) {
			found = append(found, in(sub))
		}
	}
	return found, nil
}

func isRecording(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, LogName))
	return err == nil
}

func in(dir string) Recording {
	name := filepath.Base(dir)
	if full, err := filepath.Abs(dir); err == nil { // "." has no name
		name = filepath.Base(full)
	}
	data := filepath.Join(dir, DataName)
	return Recording{Name: name, Log: filepath.Join(dir, LogName), Data: folder(data), Dir: data, Home: dir}
}

// FromLog returns the recording of a log anywhere, "-" for stdin, and of the
// folder with its data files.
func FromLog(log, data string) (Recording, error) {
	if log != "-" {
		info, err := os.Stat(log)
		if err != nil {
			return Recording{}, err
		}
		if info.IsDir() {
			return Recording{}, fmt.Errorf("%s: a folder, and no log: replay it without --log", log)
		}
	}
	if info, err := os.Stat(data); err != nil || !info.IsDir() {
		return Recording{}, fmt.Errorf("%s: no folder of data files: name it with --data", data)
	}
	home := filepath.Dir(log)
	if log == "-" {
		home = filepath.Dir(data)
	}
	return Recording{Name: log, Log: log, Data: folder(data), Dir: data, Home: home}, nil
}

// A folder has the data files of a recording. Nothing outside of it is opened, and
// nothing that is no regular file: a recording may come from anybody.
type folder string

// Open opens a file in the folder.
func (f folder) Open(name string) (fs.File, error) {
	file, err := files.In(string(f), name)
	if err != nil {
		return nil, err
	}
	return file, nil
}
