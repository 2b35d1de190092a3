// Package cloud stands in for what providers manage.
package cloud

import (
	"fmt"
	"sync"
)

// A Cloud has objects by ID, in memory. It is safe for concurrent use, and its
// zero value is empty.
type Cloud[T any] struct {
	mu      sync.Mutex
	last    int
	objects map[string]T
}

// NewID returns an ID that no other object has.
func (c *Cloud[T]) NewID(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return fmt.Sprintf("%s-%d", kind, c.last)
}

// Put keeps an object, in place of an earlier one of that ID.
func (c *Cloud[T]) Put(id string, object T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.objects == nil {
		c.objects = map[string]T{}
	}
	c.objects[id] = object
}

// Get returns the object of that ID, and whether there is one.
func (c *Cloud[T]) Get(id string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	object, ok := c.objects[id]
	return object, ok
}

// Forget removes an object behind the provider's back. An ID that is unknown to
// the cloud is no mistake.
func (c *Cloud[T]) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.objects, id)
}

// Len returns the number of objects that exist.
func (c *Cloud[T]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.objects)
}
