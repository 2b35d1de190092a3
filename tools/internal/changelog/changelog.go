// Package changelog reads and writes a CHANGELOG.md in the format of keepachangelog.com.
package changelog

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

var (
	unreleasedHeading = regexp.MustCompile(`(?im)^## \[unreleased\][ \t]*$`)
	unreleasedLink    = regexp.MustCompile(`(?im)^\[unreleased\]:.*$`)
	end               = regexp.MustCompile(`(?m)^(## |\[[^]]+\]: )`) // of a version's entry
)

// Unreleased returns the text below the heading "## [Unreleased]".
func Unreleased(text []byte) ([]byte, error) {
	heading := unreleasedHeading.FindIndex(text)
	if heading == nil {
		return nil, errors.New("CHANGELOG.md: no heading \"## [Unreleased]\"")
	}
	news := text[heading[1]:]
	if next := end.FindIndex(news); next != nil {
		news = news[:next[0]]
	}
	return news, nil
}

// Release moves the unreleased text below a heading for the version, and adds the link of the
// version if the changelog contains links. If the version already has a heading, Release returns
// the text unchanged.
func Release(text []byte, version, date, repository string) ([]byte, error) {
	number := strings.TrimPrefix(version, "v")
	if bytes.Contains(text, []byte("\n## ["+number+"]")) {
		return text, nil
	}
	news, err := Unreleased(text)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(news)) == 0 {
		return nil, errors.New("CHANGELOG.md: no entries below \"## [Unreleased]\", so there is nothing to release")
	}
	heading := unreleasedHeading.FindIndex(text)[1]
	out := fmt.Appendf(nil, "%s\n\n## [%s] - %s%s", text[:heading], number, date, text[heading:])
	links := fmt.Sprintf("[Unreleased]: %[1]s/compare/%[2]s...HEAD\n[%[3]s]: %[1]s/releases/tag/%[2]s",
		repository, version, number)
	return unreleasedLink.ReplaceAllLiteral(out, []byte(links)), nil
}
