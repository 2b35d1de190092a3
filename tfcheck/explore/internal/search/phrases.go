package search

import (
	"regexp"
	"slices"
	"strings"
)

// A form is a phrase that shows an accepted value, or says how to build one.
type form struct {
	phrase  *regexp.Regexp
	example string // a message with the phrase
	want    string // the first value that the example suggests
	values  func(groups []string) []string
}

// forms lists the phrases. The values of the first phrases are the most certain ones.
var forms = []form{
	{
		phrase: regexp.MustCompile(`(?is)\bexpected\b[^>]{0,200}:\s*>\s*(\S+)`),
		example: "parsing \"a\": parsing the Network ID: the number of segments didn't match\n\nExpected a Network ID that matched (containing 4 segments):\n\n" +
			"> /subscriptions/1234/networks/networkName\n\nHowever this value was provided (which was parsed into 0 segments):\n\n> a",
		want:   "/subscriptions/1234/networks/networkName",
		values: func(groups []string) []string { return groups[1:] },
	},
	{
		phrase:  regexp.MustCompile(`(?i)\burl\b[^"\n]*\bschem[ae]s?(?: of)?:? ("\w+)`),
		example: `expected "name" to have a url with schema of: "https", got example`,
		want:    "https://example.com",
		values:  func(groups []string) []string { return []string{unquote(groups[1]) + "://example.com"} },
	},
	{
		phrase:  regexp.MustCompile(`(?i)\burl\b.*?\bcontain(?:s|ing)?(?: the| a)? (\S+) (?:token|placeholder|variable)`),
		example: "must be a valid URL and contain <num> token",
		want:    "https://example.com/<num>",
		values:  func(groups []string) []string { return []string{"https://example.com/" + unquote(groups[1])} },
	},
	{
		phrase: regexp.MustCompile(`(?i)(?:in the (?:format|form)(?: of)?|of the form|formatted as|\b(?:expected|valid|required) format(?: is)?|` +
			`i\.e\.|e\.g\.|for example|such as|looks? like)[:,]?\s+(` + quoted + `|[^\s,;]+)`),
		example: "field \"name\" has an invalid format: \"a\". Expected format: 'projects/<project-number>/zones/{{zone}}/<anything>'",
		want:    "projects/1/zones/example-1/example-1",
		values:  fillForm,
	},
	{
		phrase:  regexp.MustCompile(`(?i)\b(\d+|one|two|three|four|five|six|eight|ten) characters?\b.*?\bcontain(?:s|ing)?\b.*?\bcharacters? ((?:\S-\S(?:, ?|,? and |,? or )?)+)`),
		example: "must be 24 characters and only contain characters 0-9 and a-f",
		want:    "aaaaaaaaaaaaaaaaaaaaaaaa",
		values:  func(groups []string) []string { return ofCharacters(groups[1], rangesIn(groups[2])) },
	},
	{
		phrase: regexp.MustCompile(`(?i)\b(?:consists? of|be|contains?) (?:exactly )?(\d+|one|two|three|four|five|six|eight|ten) ` +
			`(capital|upper-? ?case|lower-? ?case|hexadecimal|hex) (?:letters?|characters?|digits?)`),
		example: "must consist of two capital letters",
		want:    "AA",
		values: func(groups []string) []string {
			kind := strings.ToLower(groups[2])
			return ofCharacters(groups[1], map[string]string{"c": "A-Z", "u": "A-Z", "l": "a-z", "h": "0-9a-f"}[kind[:1]])
		},
	},
}

// shownIn returns the values that a text shows or describes.
func shownIn(text string) (all []string) {
	for _, f := range forms {
		for _, groups := range f.phrase.FindAllStringSubmatch(text, -1) {
			all = append(all, f.values(groups)...)
		}
	}
	return all
}

// holder matches a placeholder in a form.
var holder = regexp.MustCompile(`\$?(?:\[[\w-]+\]|\{+[\w-]+\}+|<[\w-]+>)`)

// fillForm returns a form with filled placeholders, unchanged, and without placeholder characters.
func fillForm(groups []string) []string {
	item := strings.TrimRight(unquote(groups[1]), ".,);:")
	if !quotedItem.MatchString(groups[1]) && justWord.MatchString(item) {
		return nil
	}
	filled := holder.ReplaceAllStringFunc(item, func(name string) string {
		if strings.Contains(name, "num") {
			return "1"
		}
		return "example-1"
	})
	plain := strings.NewReplacer("[", "", "]", "", "<", "", ">", "", "{", "", "}", "", "_", "").Replace(item)
	return slices.Compact([]string{filled, item, plain})
}

// rangesIn returns the ranges of characters in a text, such as 0-9a-f.
func rangesIn(text string) string {
	return strings.Join(regexp.MustCompile(`\S-\S`).FindAllString(text, -1), "")
}

// ofCharacters returns a text of characters in the ranges. The count is a number or a word.
func ofCharacters(count, ranges string) []string {
	words := map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "eight": "8", "ten": "10"}
	if digits := words[strings.ToLower(count)]; digits != "" {
		count = digits
	}
	return matches("^["+ranges+"]{"+count+"}$", limits{})
}
