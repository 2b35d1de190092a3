package session

import (
	"regexp"
	"strings"
)

// These parts of a provider's texts differ each time: the name of the folder in which the provider
// is isolated, and, in a trace, the numbers of goroutines and the addresses.
var (
	folder    = regexp.MustCompile(`\bobjchange-\d+`)
	goroutine = regexp.MustCompile(`(?m)^goroutine \d+`)
	numbers   = regexp.MustCompile(`\b(goroutine |pid=|m=|0x)[0-9a-f]+`)
)

// StableText returns a text of the provider without the parts that differ each time.
func StableText(text string) string { return folder.ReplaceAllString(text, "objchange-…") }

// stableTrace returns the trace of the goroutine that crashed, without the parts that differ each
// time.
func stableTrace(trace string) string {
	if all := goroutine.FindAllStringIndex(trace, 2); len(all) > 1 {
		trace = strings.TrimSpace(trace[:all[1][0]])
	}
	return StableText(numbers.ReplaceAllString(trace, "$1…"))
}

var runtimeError = regexp.MustCompile(`runtime error: [^\n]*|interface conversion: [^\n]*|fatal error: [^\n]*`)

// Reason returns why and where a provider crashed, if the trace contains it. It omits the messages
// of the provider's own panics, because they may contain secrets.
func Reason(trace string) string {
	text := RuntimeError(trace)
	if where := Frame(trace); where != "" {
		text += " in " + where
	}
	return text
}

// RuntimeError returns the runtime error in the trace, after a colon, or "".
func RuntimeError(trace string) string {
	if why := runtimeError.FindString(trace); why != "" {
		return ": " + strings.TrimSpace(why)
	}
	return ""
}

// panicText matches the text of a panic up to the trace.
var panicText = regexp.MustCompile(`(?s)\bpanic: .*?(\n+goroutine \d+ \[|$)`)

// WithoutPanics returns the text without the texts of panics, except runtime errors.
func WithoutPanics(text string) string {
	return panicText.ReplaceAllStringFunc(text, func(found string) string {
		return "panic" + Reason(found) + panicText.FindStringSubmatch(found)[1]
	})
}

// call matches a function call in a trace. The groups are the package and the function.
var call = regexp.MustCompile(`(?m)^([\w./~-]*?[\w~-]+)\.([^/\s]+)\(.*\)$`)

// library matches packages that are not part of the provider: the standard library, whose packages
// have no domain, SDKs, and the packages of objchange that run a provider.
var library = regexp.MustCompile(`^([^./]+(/|$)|google\.golang\.org/|github\.com/(` +
	`hashicorp/(terraform-plugin-|go-)|zclconf/go-cty|` +
	`objchange/objchange/tfcheck(/driver|/internal/wire|/explore(/internal/session)?)?$))`)

// Frame returns the first function of the provider in a trace. Without such a function, it returns
// the first function of a library. Crashes with different functions have different causes.
func Frame(trace string) (name string) {
	for _, found := range call.FindAllStringSubmatch(trace, -1) {
		switch path := found[1]; {
		case path == "main" || !library.MatchString(path):
			return path + "." + found[2]
		case name == "" && strings.Contains(path, "/") && strings.Contains(path, ".") && !strings.Contains(path, "objchange"):
			name = path + "." + found[2]
		}
	}
	return name
}
