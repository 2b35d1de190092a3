package report

import (
	"errors"
	"io"
)

// writeSARIF is left out, since the library that it takes brings net/http and
// crypto/tls with it: a third of the build, and a network.
func (*Report) writeSARIF(io.Writer, Options) error {
	return errors.New("there is no sarif in builds for WebAssembly")
}
