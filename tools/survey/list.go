package survey

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// An entry is a provider to survey.
type entry struct {
	module  module.Version
	address string // "" if explore infers it
	hints   string // a file, or ""
}

var address = regexp.MustCompile(`^([^/]+/){1,2}[^/]+$`)

// readList reads lines of the form "MODULE VERSION [ADDRESS] [HINTS]". A # starts a comment. Hints
// are a .yaml or .yml file, relative to the folder.
func readList(name, folder string, r io.Reader) (list []entry, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		e, err := parseEntry(fields)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if e.hints != "" && !filepath.IsAbs(e.hints) {
			e.hints = filepath.Join(folder, e.hints)
		}
		list = append(list, e)
	}
	return list, lines.Err()
}

func parseEntry(fields []string) (e entry, err error) {
	if len(fields) < 2 || len(fields) > 4 {
		return e, fmt.Errorf("a line must be MODULE VERSION [ADDRESS] [HINTS], but has %d words", len(fields))
	}
	e.module = module.Version{Path: fields[0], Version: fields[1]}
	rest := fields[2:]
	if len(rest) > 0 && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(rest[len(rest)-1])) {
		e.hints, rest = rest[len(rest)-1], rest[:len(rest)-1]
	}
	if len(rest) > 0 {
		e.address, rest = rest[0], rest[1:]
	}
	switch {
	case len(rest) > 0:
		return e, fmt.Errorf("%q: must be a .yaml or .yml file with hints", rest[0])
	case e.address != "" && !address.MatchString(e.address):
		return e, fmt.Errorf("%q is not a source address such as hashicorp/time", e.address)
	}
	return e, module.Check(e.module.Path, e.module.Version)
}
