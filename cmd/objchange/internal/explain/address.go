package explain

import (
	"regexp"
	"strings"
)

// The grammar of addresses and paths, in text without white space.
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

// splitPlace returns the address and the path that some messages join to one word. It splits them by the
// grammar of addresses: a path begins with the name of an attribute, so an index before it is
// the key of the instance.
func splitPlace(place string) (address, path string) {
	m := addressAtStart.FindStringSubmatch(place)
	if m == nil {
		return "", place
	}
	return m[1], place[len(m[0]):]
}

// pathOf returns a path of a message as findings have it: Terraform writes elements of sets as
// `[...]`, or by what they are.
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

// withoutKey returns the path of the collection if the last step is the key.
func withoutKey(path, key string) string {
	for _, step := range []string{"[" + key + "]", "." + strings.Trim(key, `"`)} {
		if rest, ok := strings.CutSuffix(path, step); ok && rest != "" {
			return rest
		}
	}
	return path
}

// providerOf returns the address of a provider as a message has it in quotes: alone, or in the
// address of its configuration.
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
