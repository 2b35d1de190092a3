//go:build !linux

package process

// start starts the process. On this system, only its environment can be isolated, and it does not
// end with this process.
func (p *Process) start(isolated bool) error {
	if isolated {
		const gap = "only on Linux"
		p.Barriers = []Barrier{{"environment", ""}, {"network", gap}, {"processes", gap}, {"limits", gap}}
	}
	return p.cmd.Start()
}
