package search

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A phrase is a form of words in messages. It has a meaning: a kind of change, or a fact.
type phrase struct {
	example string // a message with the phrase
	says    string // the meaning of the example
	words   func() *regexp.Regexp
	ask     ask
	fact    func(m *message, groups []string)
}

// phrases lists the phrases. The first kind of change in a message counts. The values of the first
// phrases are the most certain ones.
var phrases = []phrase{
	asking(asksFewer, "only one of image, snapshot can be specified",
		`conflict|mutually exclusive|only one of|only specify one|attributes? specified when one|these are not set|`+
			`NOT (?:both )?be (?:\w+ )?(?:SET|combined|enabled)?\s*(?:together|both|when|with|if|alongside|in combination|`+
			`at the same time|simultaneously)|not both|cannot GIVE (?:both|.* (?:with|and|when))|incompatible with`),
	asking(asksOne, "exactly one of these attributes must be configured",
		`exactly one|one \(?and only one|(?:^|[^t] )one of .*(?:MUST|(?:is|are) required)|either .* or .*(?:MUST|required)|`+
			`must GIVE (?:exactly )?(?:one|either)|one .*is required`),
	asking(asksAny, "at least one of these attributes must be configured",
		`at least one (?:of|attribute|argument|field)|at least one .*(?:MUST|required)|one or more of|or both`),
	asking(asksAll, "all of image, snapshot must be specified",
		`all of .*(?:MUST|required)|SET together|also (?:these|be|set|specif)|must be SET (?:when|if|with|for|along)|`+
			`required (?:when|if|with|for|by|together)|requires? .*(?:to be|set|specified)|depends on`),
	asking(asksMore, "Missing required argument",
		`missing|(?:is|are) required|required (?:argument|attribute|field|property|parameter|block|value)|`+
			`no definition was found|must be SET|MUST GIVE|must (?:not be|be non-?) ?EMPTY|(?:not|n't) be (?:EMPTY|omitted)|`+
			`non-?empty|not (?:SET|found in config)|was not|needs? to be SET|without`),
	asking(asksNone, "image is not supported here",
		`unsupported|not supported|read-?only|unexpected|unknown key|not expected|unconfigurable|decided automatically|`+
			`reserved|NOT be SET|not allowed|not permitted|no longer|deprecated|removed|not applicable|`+
			`only (?:be )?(?:valid|allowed|supported|applicable|available|SET)`),

	saying("in the range (20 - 30)", "20 to 30",
		`(?:between|from|range(?: is| of|:)?)\s*[\[(]*N\s*(?:-|–|to|through|up to|\.\.\.?|,|and|:)\s*N`, between),
	saying("20-30 characters", "20 to 30",
		`\bN\s*(?:-|–|to)\s*N (?:character|item|element|byte|letter|digit)`, between),
	saying("20 <= size <= 30", "20 to 30", `N\s*<=?\s*\w+\s*<=?\s*N`, between),
	saying("must be at least 20", "at least 20",
		`(?:at least|minimum(?: \w+)?(?: of| is| value)?:?|no less than|not less than|not be less than|`+
			`greater than or equal(?: to)?|not be (?:lower|smaller) than|>=|≥|minimum is|lower limit of)\s*N`, atLeast),
	saying("must be at most 30", "at most 30",
		`(?:at most|maximum(?: \w+)?(?: of| is| value)?:?|no more than|not more than|not be more than|`+
			`not exceed|cannot exceed|less than or equal(?: to)?|not be (?:greater|longer|larger|higher) than|`+
			`up to|<=|≤|too long \(max)\s*N`, atMost),
	saying("requires 20 item minimum", "at least 20",
		`N (?:item|element|block|character)s?(?: as an?)? minimum`, atLeast),
	saying("supports 30 item maximum", "at most 30",
		`N (?:item|element|block|character)s?(?: as an?)? maximum`, atMost),
	saying("20 or more", "at least 20", `N (?:characters? )?or (?:more|greater)`, atLeast),
	saying("30 or less", "at most 30", `N (?:characters? )?or (?:less|fewer|lower)`, atMost),
	saying("exactly 20", "20 to 20", `(?:exactly|exact length of) N`, exactly),
	saying("must be 20 characters", "20 to 20", `must be N (?:character|digit|letter|byte)s?\b`, exactly),
	saying("a 20-digit number", "20 to 20", `N[- ]digits?\b`, exactly),
	saying("greater than 19", "at least 20",
		`(?:(?:greater|more|larger|longer|higher) than|(?:^|\s)>)\s*N`, above),
	saying("less than 31", "at most 30", `(?:(?:fewer|less|smaller|shorter|lower) than|(?:^|\s)<)\s*N`, below),
	saying("must be positive", "at least 1", `positive`,
		func(m *message, _ []string) { setLimit(&m.limits.least, "1", 0) }),
	saying("divisible by 20", "multiple of 20", `(?:divisible by|multiples? of)\s*N`,
		func(m *message, groups []string) { setLimit(&m.limits.step, groups[1], 0) }),
	saying(`must begin with "a-"`, "begins with a-",
		`(?:(?:start|begin|starting|beginning|prefixed)s? (?:with|by)|prefix(?: of| is)?:?)`+
			`(?: a| an| the)?(?: prefix)?[:\s]+(VALUE)`,
		func(m *message, groups []string) { m.prefix = cmp.Or(m.prefix, notProse(groups[1])) }),
	saying("has to end in .txt", "ends with .txt",
		`(?:(?:end|ending|suffixed)s? (?:with|in|by)|suffix(?: of| is)?:?)(?: a| an| the)?(?: suffix)?[:\s]+(VALUE)`,
		func(m *message, groups []string) { m.suffix = cmp.Or(m.suffix, notProse(groups[1])) }),

	saying("parsing \"a\": parsing the Network ID: the number of segments didn't match\n\n"+
		"Expected a Network ID that matched (containing 4 segments):\n\n> /subscriptions/1234/networks/networkName\n\n"+
		"However this value was provided (which was parsed into 0 segments):\n\n> a",
		"/subscriptions/1234/networks/networkName", `(?s)\bexpected\b[^>]{0,200}:\s*>\s*(\S+)`,
		showing(func(groups []string) []string { return groups[1:] })),
	saying(`expected "name" to have a url with schema of: "https", got example`, "https://example.com",
		`\burl\b[^"\n]*\bschem[ae]s?(?: of)?:? ("\w+)`,
		showing(func(groups []string) []string { return []string{unquote(groups[1]) + "://example.com"} })),
	saying("must be a valid URL and contain <num> token", "https://example.com/<num>",
		`\burl\b.*?\bcontain(?:s|ing)?(?: the| a)? (\S+) (?:token|placeholder|variable)`,
		showing(func(groups []string) []string { return []string{"https://example.com/" + unquote(groups[1])} })),
	saying(`field "name" has an invalid format: "a". `+
		`Expected format: 'projects/<project-number>/zones/{{zone}}/<anything>'`,
		"projects/1/zones/example-1/example-1",
		`(?:in the (?:format|form)(?: of)?|of the form|formatted as|\b(?:expected|valid|required) format(?: is)?|`+
			`i\.e\.|e\.g\.|for example|such as|looks? like)[:,]?\s+(VALUE)`, showing(fillForm)),
	saying("must be 24 characters and only contain characters 0-9 and a-f", "aaaaaaaaaaaaaaaaaaaaaaaa",
		`\bCOUNT characters?\b.*?\bcontain(?:s|ing)?\b.*?\bcharacters? ((?:\S-\S(?:, ?|,? and |,? or )?)+)`,
		showing(func(groups []string) []string { return ofCharacters(groups[1], rangesIn(groups[2])) })),
	saying("must consist of two capital letters", "AA",
		`\b(?:consists? of|be|contains?) (?:exactly )?COUNT (capital|upper-? ?case|lower-? ?case|hexadecimal|hex) `+
			`(?:letters?|characters?|digits?)`,
		showing(func(groups []string) []string {
			ranges := map[byte]string{'c': "A-Z", 'u': "A-Z", 'l': "a-z", 'h': "0-9a-f"}
			return ofCharacters(groups[1], ranges[strings.ToLower(groups[2])[0]])
		})),
}

// parts are the parts of phrases. N is a number, VALUE a quoted text or a word, and COUNT a count.
var parts = strings.NewReplacer(
	"NOT", `(?:can ?not|can't|may not|must not|should not|not)`,
	"MUST", `(?:must|should|has to|needs to)`,
	"SET", `(?:specified|set|configured|provided|defined|used|present|given)`,
	"GIVE", `(?:specify|set|configure|provide|define|use|have|contain)`,
	"EMPTY", `(?:empty|null|blank|nil|unset)`,
	"N", `\(?["'`+"`"+`]?(-?\d[\d,_]*(?:\.\d+)?)["'`+"`"+`]?\)?`,
	"VALUE", quoted+`|[^\s,;]+`,
	"COUNT", `(\d+|one|two|three|four|five|six|eight|ten)`,
)

func wordsOf(text string) func() *regexp.Regexp { return lazy("(?i)" + parts.Replace(text)) }

// lazy returns a function that compiles a pattern when it is first called. It is for patterns that
// take long, because most commands need none.
func lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

func asking(a ask, example, words string) phrase {
	return phrase{example: example, says: string(a), words: wordsOf(words), ask: a}
}

func saying(example, says, words string, fact func(*message, []string)) phrase {
	return phrase{example: example, says: says, words: wordsOf(words), fact: fact}
}

func between(m *message, groups []string) {
	setLimit(&m.limits.least, groups[1], 0)
	setLimit(&m.limits.most, groups[2], 0)
}

func atLeast(m *message, groups []string) { setLimit(&m.limits.least, groups[1], 0) }
func atMost(m *message, groups []string)  { setLimit(&m.limits.most, groups[1], 0) }
func above(m *message, groups []string)   { setLimit(&m.limits.least, groups[1], 1) }
func below(m *message, groups []string)   { setLimit(&m.limits.most, groups[1], -1) }

func exactly(m *message, groups []string) {
	atLeast(m, groups)
	atMost(m, groups)
}

// setLimit sets a limit that no other phrase has set: the number in the text plus more.
func setLimit(limit **float64, text string, more float64) {
	f, err := strconv.ParseFloat(strings.NewReplacer(",", "", "_", "").Replace(text), 64)
	if *limit == nil && err == nil {
		f += more
		*limit = &f
	}
}

// notProse returns the text that was found, or "" if it may be a word of the message.
func notProse(found string) string {
	if text := unquote(found); text != found {
		return text
	}
	if text := strings.TrimRight(found, ".,);"); !justWord.MatchString(text) {
		return text
	}
	return ""
}

func showing(values func(groups []string) []string) func(*message, []string) {
	return func(m *message, groups []string) { m.shown = append(m.shown, values(groups)...) }
}

// holder matches a placeholder in a form.
var holder = regexp.MustCompile(`\$?(?:\[[\w-]+\]|\{+[\w-]+\}+|<[\w-]+>)`)

// fillForm returns a form with filled placeholders, unchanged, and without placeholder characters.
func fillForm(groups []string) []string {
	item := notProse(groups[1])
	if item == "" {
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

var characterRange = regexp.MustCompile(`\S-\S`)

// rangesIn returns the ranges of characters in a text, such as 0-9a-f.
func rangesIn(text string) string { return strings.Join(characterRange.FindAllString(text, -1), "") }

var counts = strings.NewReplacer(
	"one", "1", "two", "2", "three", "3", "four", "4", "five", "5", "six", "6", "eight", "8", "ten", "10")

// ofCharacters returns a text of characters in the ranges. The count is a number or a word.
func ofCharacters(count, ranges string) []string {
	return matches("^["+ranges+"]{"+counts.Replace(strings.ToLower(count))+"}$", limits{})
}
