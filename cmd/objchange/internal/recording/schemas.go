package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const schemasName = "schemas.json"

// FindSchemas returns the name of the file with the schemas that belong to a
// recording: schemas.json in dir or in its parent. The error says how to get
// one.
func FindSchemas(dir string) (name string, err error) {
	for _, in := range []string{dir, filepath.Join(dir, "..")} {
		name := filepath.Join(in, schemasName)
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, err
		}
	}
	return "", fmt.Errorf(`%s: no schemas: there is no %s in it or in its parent.
Write them where the configuration is, and name the file with --schemas:
  terraform providers schema -json > %[2]s`, dir, schemasName)
}
