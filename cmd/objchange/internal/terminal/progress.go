package terminal

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A Progress shows how far a reader has come, on errOut if that is a terminal, as soon
// as it is worth a look. A nil one shows nothing.
type Progress struct {
	out   io.Writer
	total int64
	what  string
	began time.Time
	done  int64
	bar   *progressbar.ProgressBar // once it is shown
}

// patience is how long nobody asks how far it is.
var patience = time.Second

// Progress begins to tell how many of the total bytes are read, under a few words that
// say of what. A total that is not positive is one that is not known. What takes less
// than a second is not shown.
func (t *Terminal) Progress(total int64, what string) *Progress {
	if _, ok := file(t.errOut); !ok || dumb() {
		return nil
	}
	if total <= 0 {
		total = -1
	}
	return &Progress{out: t.errOut, total: total, what: what, began: time.Now()}
}

// Add says that n more bytes are read.
func (p *Progress) Add(n int64) {
	switch {
	case p == nil:
	case p.bar != nil:
		_ = p.bar.Add64(n) // what cannot be shown is no reason to stop
	default:
		if p.done += n; time.Since(p.began) >= patience {
			p.show()
		}
	}
}

// show begins to show what is done. It is no speed, since between reads is what takes
// time.
func (p *Progress) show() {
	p.bar = progressbar.NewOptions64(p.total,
		progressbar.OptionSetWriter(p.out),
		progressbar.OptionSetDescription(p.what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine of its own
		progressbar.OptionClearOnFinish(),
	)
	_ = p.bar.Add64(p.done)
}

// Done takes away what is shown.
func (p *Progress) Done() {
	if p != nil && p.bar != nil {
		_ = p.bar.Exit()
		_ = p.bar.Clear()
	}
}
