// Package cloud stands in for what providers manage.
package cloud

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
)

// File is the variable in the environment of a provider that names the file of KeepIn.
const File = "LIVETEST_CLOUD"

// A Cloud has objects by ID, in memory. It is safe for concurrent use, and its
// zero value is empty.
type Cloud struct {
	mu   sync.Mutex
	kept kept
	file string // "": only in memory
}

// kept is what is in the file.
type kept struct {
	Last    int
	Objects map[string][]byte
}

// KeepIn keeps the objects in a file, too, so that the next process has them.
func (c *Cloud) KeepIn(file string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.file = file
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &c.kept)
}

// NewID returns an ID that no other object has.
func (c *Cloud) NewID(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.Last++
	return fmt.Sprintf("%s-%d", kind, c.kept.Last)
}

// Put keeps an object, in place of an earlier one of that ID.
func (c *Cloud) Put(id string, object []byte) {
	c.change(func() {
		if c.kept.Objects == nil {
			c.kept.Objects = map[string][]byte{}
		}
		c.kept.Objects[id] = object
	})
}

// Get returns the object of that ID, and whether there is one.
func (c *Cloud) Get(id string) (object []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	object, ok = c.kept.Objects[id]
	return object, ok
}

// IDs returns those of all objects, in order.
func (c *Cloud) IDs() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.kept.Objects))
}

// Forget removes an object behind the provider's back, if there is one of that ID.
func (c *Cloud) Forget(id string) { c.change(func() { delete(c.kept.Objects, id) }) }

// change changes what is kept, also in the file.
func (c *Cloud) change(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	if c.file == "" {
		return
	}
	text, err := json.Marshal(c.kept)
	if err == nil {
		err = os.WriteFile(c.file, text, 0o600)
	}
	if err != nil {
		panic(err)
	}
}
