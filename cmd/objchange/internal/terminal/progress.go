package terminal

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// A Progress shows how far a reader has come, on errOut if that is a terminal.
// A nil one shows nothing.
type Progress struct{ bar *progressbar.ProgressBar }

// Progress begins to show how many of the total bytes are read, under a few
// words that say of what. A total that is not positive is one that is not known.
func (t *Terminal) Progress(total int64, what string) *Progress {
	if _, ok := file(t.errOut); !ok || dumb() {
		return nil
	}
	if total <= 0 {
		total = -1
	}
	return &Progress{progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(t.errOut),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own
		progressbar.OptionClearOnFinish(),
	)}
}

// Add says that n more bytes are read.
func (p *Progress) Add(n int64) {
	if p != nil {
		_ = p.bar.Add64(n) // what cannot be shown is no reason to stop
	}
}

// Done takes away what is shown.
func (p *Progress) Done() {
	if p != nil {
		_ = p.bar.Exit()
		_ = p.bar.Clear()
	}
}
