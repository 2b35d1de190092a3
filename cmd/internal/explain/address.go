package explain

import (
	"regexp"
	"strings"
)

// These patterns match addresses and paths in text without white space.
const (
	name = `(?:[\pL_][\pL\pN_-]*|` + redacted + `)`
	// redacted matches the replacement of a hidden name.
	redacted = `\*{2,}|<[^<>]*>|‹[^‹›]*›|\[[A-Z]+\]`
	index    = `\[(?:"(?:[^"\\]|\\.)*"|\d+|\.\.\.|\*|\([^)]*\)|[^\]"]*)\]`
	resource = `(?:(?:module|component)\.` + name + `(?:` + index + `)?\.)*(?:(?:data|ephemeral|list|action)\.)?` + name + `\.` + name + `(?:` + index + `)?`
	deposed  = `(?P<deposed>\(deposed(?:object)?[0-9a-f]*\))?`
)

var (
	addressAtStart = regexp.MustCompile(`^(` + resource + `)`)
	pathAtStart    = regexp.MustCompile(`^(?:\.[^.\[\]:",;()]+|` + index + `)+`)
	stepAtStart    = regexp.MustCompile(`^(?:\.([^.\[\]"]+)|\[((?:"(?:[^"\\]|\\.)*"|[^\]"]*))\])`)
)

// splitPlace splits an address and a path that some messages join to one word. A path begins with
// the name of an attribute, so an index before that name is the key of the instance.
func splitPlace(place string) (address, path string) {
	m := addressAtStart.FindStringSubmatch(place)
	if m == nil {
		return "", place
	}
	return m[1], place[len(m[0]):]
}

// pathOf converts the path of a message to the form of findings. Terraform writes elements of sets
// as `[...]` or with their value.
func pathOf(path string) string {
	var b strings.Builder
	for path != "" {
		m := stepAtStart.FindStringSubmatch(path)
		switch {
		case m == nil:
			return b.String() + path
		case m[1] != "":
			b.WriteString("." + m[1])
		case strings.HasPrefix(m[2], `"`) || numeric.MatchString(m[2]):
			b.WriteString("[" + m[2] + "]")
		default:
			b.WriteString("[*]")
		}
		path = path[len(m[0]):]
	}
	return b.String()
}

var numeric = regexp.MustCompile(`^\d+$`)

// withoutKey removes the last step from the path if it is the key.
func withoutKey(path, key string) string {
	for _, step := range []string{"[" + key + "]", "." + strings.Trim(key, `"`)} {
		if rest, ok := strings.CutSuffix(path, step); ok && rest != "" {
			return rest
		}
	}
	return path
}

// providerOf returns the address of a provider from the quoted text of a message, which is the
// address of the provider or of its configuration.
func providerOf(quoted string) string {
	text := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted)
	if m := configured.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	if m := configuredOld.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

var (
	configured    = regexp.MustCompile(`(?:^|\.)provider\["([^"]*)"\]`)
	configuredOld = regexp.MustCompile(`^(?:module\.` + name + `\.)*provider\.(` + name + `)(?:\.` + name + `)?$`)
)
