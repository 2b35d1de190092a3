package frameworkprovider

import (
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A Cloud is what the provider manages: objects by ID, in memory. It is safe for
// concurrent use.
type Cloud struct {
	mu      sync.Mutex
	last    int
	objects map[string]tftypes.Value
}

// Forget removes an object behind the provider's back. An ID that is unknown to
// the cloud is no mistake.
func (c *Cloud) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.objects, id)
}

// Len returns the number of objects that exist.
func (c *Cloud) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.objects)
}

func (c *Cloud) newID(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	return fmt.Sprintf("%s-%d", kind, c.last)
}

func (c *Cloud) put(id string, v tftypes.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.objects == nil {
		c.objects = map[string]tftypes.Value{}
	}
	c.objects[id] = v
}

func (c *Cloud) get(id string) (tftypes.Value, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.objects[id]
	return v, ok
}
