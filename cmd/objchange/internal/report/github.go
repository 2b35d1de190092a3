package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

// A githubWriter writes workflow commands, which GitHub Actions makes annotations
// of. There is no other line, and none that a text could begin by itself.
type githubWriter struct{ *bufio.Writer }

// writeGitHub writes a command for each finding, and then for what else is to be
// said: only some annotations of a step are shown, the first ones.
func (r *Report) writeGitHub(w io.Writer, o Options) error {
	g := githubWriter{bufio.NewWriter(w)}
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			g.command(f.level(), s.Place, string(f.Rule)+": "+s.Name, f.advice())
		}
	}
	title := "objchange " + r.Command
	if r.Error != "" {
		g.command(levelError, Place{}, title, r.Error)
	}
	for _, s := range r.Subjects {
		if s.Status != Judged {
			g.command(s.level(o), s.Place, string(s.Status)+": "+s.Name, s.unjudged())
		}
	}
	if o.Quiet {
		return g.Flush()
	}
	for _, note := range append(r.IgnoreNotes(), r.Notes...) {
		g.command(levelNote, Place{}, title, note)
	}
	g.command(levelNote, Place{}, title, o.sum.String())
	return g.Flush()
}

// advice is the finding and where the web tells how to fix it.
func (f Finding) advice() string {
	text := f.text() + f.standing()
	if e, known := rulebook.Find(f.Rule); known {
		text += "\nHow to fix: " + e.FixURL()
	}
	return text
}

func (g githubWriter) command(level string, at Place, title, message string) {
	if level == levelNote {
		level = "notice"
	}
	var properties []string
	add := func(name string, value any) {
		properties = append(properties, name+"="+githubProperty.Replace(printable(fmt.Sprint(value))))
	}
	if at.File != "" && at.File != "-" {
		add("file", at.File)
		add("line", max(at.Line, 1))
		if at.Column > 0 {
			add("col", at.Column)
		}
	}
	add("title", title)
	fmt.Fprintf(g, "::%s %s::%s\n", level, strings.Join(properties, ","), githubMessage.Replace(strings.TrimSpace(cmp.Or(message, title))))
}

var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
