package cli

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestOutputInParts checks that no line is a workflow command, for any division of a text into
// writes, and that other text is unchanged.
func TestOutputInParts(t *testing.T) {
	escaped := regexp.MustCompile(`\\u00(3a|5b)`)
	command := regexp.MustCompile(`(?m)^\s*::|##\[`)
	pieces := []string{":", "::", "#", "##", "[", "]", " ", "\t", "\n", "\r", "\u00a0", "\u2028", "error", "x", "é", `"`}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "text"), "")
		var printed bytes.Buffer
		out := output{to: &printed}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "part")
			if wrote, err := out.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatalf("%d of %d, %v", wrote, n, err)
			}
			rest = rest[n:]
		}
		got := printed.String()
		if command.MatchString(strings.ReplaceAll(got, "\r", "\n")) {
			t.Errorf("%q is printed as %q", text, got)
		}
		read := escaped.ReplaceAllStringFunc(got, func(code string) string {
			char, _ := strconv.Unquote(`"` + code + `"`)
			return char
		})
		if read != text {
			t.Errorf("%q is printed as %q", text, got)
		}
	})
}

// TestOutputLeavesOthers checks that texts that are not workflow commands are unchanged.
func TestOutputLeavesOthers(t *testing.T) {
	for _, text := range []string{"a :: b", "x::y", ": :", ":\n:", "# [a]", "#[a]", "#\n#[a]", "## [a]", "é x::", `"::"`} {
		var printed bytes.Buffer
		if _, err := (&output{to: &printed}).Write([]byte(text)); err != nil || printed.String() != text {
			t.Errorf("%q is printed as %q, %v", text, &printed, err)
		}
	}
}
