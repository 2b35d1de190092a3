// Package cloud stands in for what providers manage.
package cloud

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A Cloud has objects by ID, in memory. It is safe for concurrent use, and its
// zero value is empty.
type Cloud[T any] struct {
	last    atomic.Int64
	objects sync.Map
}

// NewID returns an ID that no other object has.
func (c *Cloud[T]) NewID(kind string) string { return fmt.Sprintf("%s-%d", kind, c.last.Add(1)) }

// Put keeps an object, in place of an earlier one of that ID.
func (c *Cloud[T]) Put(id string, object T) { c.objects.Store(id, object) }

// Get returns the object of that ID, and whether there is one.
func (c *Cloud[T]) Get(id string) (object T, ok bool) {
	found, ok := c.objects.Load(id)
	if ok {
		object = found.(T)
	}
	return object, ok
}

// Forget removes an object behind the provider's back, if there is one of that ID.
func (c *Cloud[T]) Forget(id string) { c.objects.Delete(id) }
