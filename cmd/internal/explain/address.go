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
	resource = `(?:(?:module|component)\.` + name + `(?:` + index + `)?\.)*` +
		`(?:(?:data|ephemeral|list|action)\.)?` + name + `\.` + name + `(?:` + index + `)?`
	// providerAddress matches an address, and quotes that belong to the text after it.
	providerAddress = `[\w.-]+/[\w-]+/[\w-]+[\\"]*`
	// quotes match the characters that may be around names.
	quotes = "[\"'`*\\\\]*"
	// providerName matches the address of a provider or of its configuration, with quotes. If the
	// beginning of a text is lost, it may begin with a bracket.
	providerName = "(?:[\"'`*\\\\]+(?:(?:module\\." + name + "(?:\\[[^\\]]*\\])?\\.)*provider)?" +
		configuration + "?[^\"'`*\\\\,()\\[\\]]*" + quotes +
		"|(?:provider)?" + configuration + "(?:\\." + name + ")?" + quotes +
		"|[\\w-]+(?:\\.[\\w-]+)+/[\\w-]+/[\\w-]+?|" + redacted + ")"
	configuration = "(?:\\[" + quotes + "[^\"'`\\\\,()\\[\\]]+" + quotes + "\\])"
)

var (
	// addressAtStart matches an address before a path. A path begins with the name of an attribute, so
	// an index before that name is the key of the instance.
	addressAtStart = lazy(`^` + resource)
	pathAtStart    = lazy(`^(?:\.[^.\[\]:",;()]+|` + index + `)+`)
	// elementOrKey matches the position of an element of a set in a path, or a quoted key.
	elementOrKey = regexp.MustCompile(`\[[^"\d\]][^\]"]*\]|"(?:[^"\\]|\\.)*"`)
)

// pathOf converts the path of a message to the form of findings. Terraform writes elements of sets
// as `[...]` or with their value.
func pathOf(path string) string {
	return elementOrKey.ReplaceAllStringFunc(path, func(s string) string {
		if s[0] == '"' {
			return s
		}
		return "[*]"
	})
}

// providerOf returns the address of a provider from the text of a message, which is the address of
// the provider or of its configuration. It returns "" if the address is hidden.
func providerOf(text string) string {
	text = unquoted.Replace(text)
	for _, pattern := range []*regexp.Regexp{configured, configuredOld, wholeAddress} {
		if m := pattern.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return ""
}

var (
	unquoted      = strings.NewReplacer(`"`, "", `'`, "", "`", "", `\`, "")
	configured    = regexp.MustCompile(`(?:^|provider)\[([^\[\]]+)\]`)
	configuredOld = regexp.MustCompile(`(?:^|\.)provider\.(` + name + `)(?:\.` + name + `)?$`)
	wholeAddress  = regexp.MustCompile(`^([\pL\pN][^*<>\[\]]*(?:/[^/\[\]]+)*)$`)
)
