package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FindSchemas returns the name of the file with the recording's schemas: in its
// folder, in that of several recordings, or in the one above. The error says how
// to get one.
func (rec Recording) FindSchemas() (name string, err error) {
	for _, in := range []string{"", "..", filepath.Join("..", "..")} {
		name := filepath.Join(rec.Home, in, SchemasName)
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return name, err
		}
	}
	return "", fmt.Errorf(`%s: no schemas: there is no %s in it or in the two folders above.
"objchange record" writes them. Else write them where the configuration is, and
name the file with --schemas:
  terraform providers schema -json > %[2]s`, rec.Home, SchemasName)
}
