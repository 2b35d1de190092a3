package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/words"
)

// maxAnnotations is the number of annotations of each level that GitHub keeps per step.
// maxAnnotation limits the characters of each annotation here.
// https://docs.github.com/en/actions/reference/limits
const (
	maxAnnotations = 10
	maxAnnotation  = 4000
)

// A githubWriter writes workflow commands, which GitHub Actions shows as annotations. It writes no
// other lines, and escapes texts so that they cannot begin a line.
type githubWriter struct {
	*bufio.Writer
	room room
	left int // number of annotations without room
}

// writeGitHub writes a command for the error of the report, for each finding, for each subject that
// was skipped or failed, for each note, and for the summary. It writes only as many as GitHub
// keeps.
func (r *Report) writeGitHub(w io.Writer, o Options) error {
	g := &githubWriter{bufio.NewWriter(w), room{levelError: maxAnnotations, levelWarning: maxAnnotations, levelNote: maxAnnotations - 1}, 0}
	title := "objchange " + r.Command
	if r.Error != "" {
		g.command(levelError, Place{}, title, r.Error)
	}
	for _, s := range r.Subjects {
		for _, f := range s.Findings {
			g.command(f.level(), s.placeOf(f), string(f.Rule)+": "+s.Name, s.advice(f))
		}
	}
	for _, s := range r.Subjects {
		if s.Status != Checked {
			g.command(s.level(o), s.Place, string(s.Status)+": "+s.Name, s.skipReason())
		}
	}
	for _, note := range append(r.IgnoreNotes(), r.Notes...) {
		g.command(levelNote, Place{}, title, note)
	}
	summary := o.sum.String()
	if g.left > 0 {
		summary += fmt.Sprintf("\n%d more annotations are omitted, because GitHub keeps only %d errors, %d warnings and %d notices of a step; "+
			"--format json contains all", g.left, maxAnnotations, maxAnnotations, maxAnnotations)
	}
	g.room[levelNote] = 1 // reserved for the summary
	g.command(levelNote, Place{}, title, summary)
	return g.Flush()
}

// advice returns the text of the finding with the provider and a link to the instructions for a
// fix.
func (s Subject) advice(f Finding) string {
	text := f.text() + f.standing() + f.reproduction()
	if s.Provider != "" {
		text += "\nProvider: " + s.Provider
	}
	if e, known := rulebook.Find(f.Rule); known {
		text += "\nHow to fix: " + e.FixURL()
	}
	return text
}

func (g *githubWriter) command(level string, at Place, title, message string) {
	if !g.room.take(level) {
		g.left++
		return
	}
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
	fmt.Fprintf(g, "::%s %s::%s\n", level, strings.Join(properties, ","), githubMessage.Replace(words.Short(strings.TrimSpace(cmp.Or(message, title)), maxAnnotation)))
}

var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
