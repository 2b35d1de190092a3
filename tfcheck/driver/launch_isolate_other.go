//go:build !linux

package driver

// startIsolated starts the process. On this system, only its environment is isolated.
func (c *child) startIsolated() error {
	const gap = "only on Linux"
	c.barriers = []Barrier{{"environment", ""}, {"network", gap}, {"processes", gap}, {"limits", gap}}
	return c.cmd.Start()
}
