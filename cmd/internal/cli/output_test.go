package cli

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestOutputHasNoWorkflowCommands checks that no line is a workflow command, and that other text is unchanged.
func TestOutputHasNoWorkflowCommands(t *testing.T) {
	escaped := regexp.MustCompile(`\\u00(3a|5b)`)
	command := regexp.MustCompile(`(?m)^\s*::|##\[`)
	pieces := []string{":", "::", "#", "##", "[", "]", " ", "\t", "\n", "\r", "\u00a0", "\u2028", "error", "x", "é", `"`}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "text"), "")
		var printed bytes.Buffer
		if wrote, err := (&output{to: &printed}).Write([]byte(text)); wrote != len(text) || err != nil {
			t.Fatalf("%d of %d, %v", wrote, len(text), err)
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
	for _, text := range []string{"a :: b", "x::y", ": :", ":\n:", "# [a]", "#[a]", "#\n#[a]", "## [a]", "é x::", `"::"`} {
		var printed bytes.Buffer
		if _, err := (&output{to: &printed}).Write([]byte(text)); err != nil || printed.String() != text {
			t.Errorf("%q is printed as %q, %v", text, &printed, err)
		}
	}
}
