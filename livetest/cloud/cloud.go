// Package cloud simulates the remote system that the test providers manage.
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

// File is the environment variable of a provider that contains the file name for KeepIn.
const File = "LIVETEST_CLOUD"

// A Cloud stores objects by ID, in memory. It is safe for concurrent use. Its zero value is
// empty.
type Cloud struct {
	mu      sync.Mutex
	file    string // "": only in memory
	content struct {
		Last    int
		Objects map[string][]byte
	}
}

// KeepIn also stores the objects in a file, for the next process.
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
	return json.Unmarshal(text, &c.content)
}

// NewID returns an unused ID.
func (c *Cloud) NewID(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.content.Last++
	return fmt.Sprintf("%s-%d", kind, c.content.Last)
}

// Put stores an object, and replaces an object with the same ID.
func (c *Cloud) Put(id string, object []byte) {
	c.change(func() {
		if c.content.Objects == nil {
			c.content.Objects = map[string][]byte{}
		}
		c.content.Objects[id] = object
	})
}

// Get returns the object with the ID, and whether it exists.
func (c *Cloud) Get(id string) (object []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	object, ok = c.content.Objects[id]
	return object, ok
}

// IDs returns the IDs of all objects, sorted.
func (c *Cloud) IDs() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.content.Objects))
}

// Forget removes the object with the ID, if it exists, without the provider.
func (c *Cloud) Forget(id string) { c.change(func() { delete(c.content.Objects, id) }) }

// change changes the objects, also in the file.
func (c *Cloud) change(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	if c.file == "" {
		return
	}
	text, err := json.Marshal(c.content)
	if err == nil {
		err = os.WriteFile(c.file, text, 0o600)
	}
	if err != nil {
		panic(err)
	}
}
