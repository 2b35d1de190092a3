package search

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A message contains the parts of a diagnostic's text. The meaning of a part depends on the subject
// of the diagnostic: names in a list may be values or attributes.
type message struct {
	lists []list
	limits
	valued   bool     // the lists contain values, even if they look like names
	shown    []string // values that the text shows, or says how to build
	patterns []string // regular expressions
	affixes  []affix
	formats  []string // examples of the formats that the text mentions
	asks     ask
}

// limits are the limits of a range of numbers. A nil limit is absent.
type limits struct {
	least, most, step *big.Float
	unit              unit // quantity that is limited
}

func (l limits) ofLength() bool { return l.unit == unitLength && (l.least != nil || l.most != nil) }
func (l limits) ofCount() bool  { return l.unit == unitCount && (l.least != nil || l.most != nil) }

// A list is a list of items in a text, in one of the forms [a b], "a", "b" and a, b or c.
type list struct {
	items  []string
	not    bool // the items are not allowed
	lead   bool // words before the list introduce it as values
	quoted bool
}

// An affix is a required prefix or suffix of a string.
type affix struct {
	text string
	end  bool
}

// A unit is the quantity that a range limits.
type unit int

const (
	unitValue unit = iota
	unitLength
	unitCount
)

// An ask is the kind of change that a message requires.
type ask int

const (
	asksNothing ask = iota
	asksFewer       // set fewer of the named attributes
	asksOne         // set exactly one of them
	asksAny         // set at least one of them
	asksAll         // set all of them if one is set
	asksMore        // set the missing attribute
	asksNone        // do not set the attribute
	asksOther       // set another value
)

// asks lists phrases in order of priority. The first match counts.
var asks = []struct {
	ask     ask
	example string // a message with one of the phrases
	phrases *regexp.Regexp
}{
	{asksFewer, "only one of image, snapshot can be specified", regexp.MustCompile(`conflict|mutually exclusive|only one of|only specify one|(?:can ?not|can't|can not|may not|must not|should not|not) (?:both )?be (?:\w+ )?(?:specified|set|used|configured|provided|defined|present|combined|enabled)?\s*(?:together|both|when|with|if|alongside|in combination|at the same time|simultaneously)|attributes? specified when one|these are not set|not both|cannot (?:specify|set|use|configure|provide|have) both|cannot (?:specify|set|use) .* (?:with|and|when)|incompatible with`)},
	{asksOne, "exactly one of these attributes must be configured", regexp.MustCompile(`exactly one|one \(and only one\)|one and only one|(?:^|[^t] )one of .*(?:must|should|has to|needs to|is required|are required)|either .* or .*(?:must|should|has to|needs to|is required|required)|must (?:specify|set|provide|have|configure|contain) (?:exactly )?(?:one|either)|one .*is required`)},
	{asksAny, "at least one of these attributes must be configured", regexp.MustCompile(`at least one (?:of|attribute|argument|field)|at least one .*(?:must|required|should)|one or more of|or both`)},
	{asksAll, "all of image, snapshot must be specified", regexp.MustCompile(`all of .*(?:must|required|should)|(?:configured|specified|set|used) together|also (?:these|be|set|specif)|must be (?:specified|set|configured|provided|defined|used) (?:when|if|with|for|along)|(?:is |are )?required (?:when|if|with|for|by|together)|requires? .*(?:to be|set|specified)|depends on`)},
	{asksMore, "Missing required argument", regexp.MustCompile(`missing|is required|are required|required (?:argument|attribute|field|property|parameter|block|value)|no definition was found|must (?:not be|be non-?) ?(?:empty|null|blank|nil|unset)|must be (?:specified|set|provided|configured|defined|present|given)|(?:must|should) (?:have|set|provide|specify|define|contain)|(?:not|n't|cannot) be (?:empty|null|blank|nil|unset|omitted)|non-?empty|not (?:set|specified|provided|configured|found in config)|was not|needs? to be (?:set|specified)|without`)},
	{asksNone, "image is not supported here", regexp.MustCompile(`unsupported|not supported|read-?only|unexpected|unknown key|not expected|unconfigurable|decided automatically|reserved|(?:cannot|can't|can not|must not|may not|should not|not) be (?:set|specified|configured|used|provided|defined|present)|not allowed|not permitted|no longer|deprecated|removed|not applicable|only (?:be )?(?:valid|allowed|supported|applicable|set|used|configured|specified|available)`)},
	{asksOther, "invalid value", regexp.MustCompile(`invalid|expected|must|should|malformed|wrong|not a valid|unable to parse|cannot parse|parsing|out of range`)},
}

const number = `\(?["'` + "`" + `]?(-?\d[\d,_]*(?:\.\d+)?)["'` + "`" + `]?\)?`

// A bound is a phrase for a range. Its groups capture the numbers for least and most. If open is
// true, the range excludes these numbers.
type bound struct {
	example     string // a message with the phrase, for 20 or more, or 30 or less
	phrase      *regexp.Regexp
	least, most int // index of the group; 0 if the phrase has no such limit
	open        bool
}

func boundOf(example, phrase string, least, most int, open bool) bound {
	return bound{example, regexp.MustCompile(`(?i)` + strings.ReplaceAll(phrase, "N", number)), least, most, open}
}

var bounds = []bound{
	boundOf("must be between 20 and 30", `between N (?:and|to|-) N`, 1, 2, false),
	boundOf("in the range (20 - 30)", `range(?: is| of|:)?\s*[\[(]*N\s*(?:-|–|to|\.\.\.?|,|and|:)\s*N`, 1, 2, false),
	boundOf("from 20 to 30", `from N (?:to|through|up to|-) N`, 1, 2, false),
	boundOf("20-30 characters", `\bN\s*(?:-|–|to)\s*N (?:character|item|element|byte|letter|digit)`, 1, 2, false),
	boundOf("20 <= size <= 30", `N\s*<=?\s*\w+\s*<=?\s*N`, 1, 2, false),
	boundOf("must be at least 20", `(?:at least|minimum(?: \w+)?(?: of| is| value)?:?|no less than|not less than|not be less than|greater than or equal(?: to)?|not be (?:lower|smaller) than|>=|≥|minimum is|lower limit of)\s*N`, 1, 0, false),
	boundOf("must be at most 30", `(?:at most|maximum(?: \w+)?(?: of| is| value)?:?|no more than|not more than|not be more than|not exceed|cannot exceed|less than or equal(?: to)?|not be (?:greater|longer|larger|higher) than|up to|<=|≤|too long \(max)\s*N`, 0, 1, false),
	boundOf("requires 20 item minimum", `N (?:item|element|block|character)s?(?: as an?)? minimum`, 1, 0, false),
	boundOf("supports 30 item maximum", `N (?:item|element|block|character)s?(?: as an?)? maximum`, 0, 1, false),
	boundOf("20 or more", `N (?:characters? )?or (?:more|greater)`, 1, 0, false),
	boundOf("30 or less", `N (?:characters? )?or (?:less|fewer|lower)`, 0, 1, false),
	boundOf("exactly 20", `exactly N|exact length of N|must be N (?:character|digit|letter|byte)s?|N[- ]digits?\b`, 1, 1, false),
	boundOf("greater than 19", `(?:greater|more|larger|longer|higher) than N|(?:^|\s)>\s*N`, 1, 0, true),
	boundOf("less than 31", `(?:less|fewer|smaller|shorter|lower) than N|(?:^|\s)<\s*N`, 0, 1, true),
}

var (
	divisible   = regexp.MustCompile(`(?i)(?:divisible by|multiples? of)\s*` + number)
	lengthWords = regexp.MustCompile(`(?i)length|characters?\b|\bbytes? long|\blong\b|digits?\b|\bletters\b|too short`)
	countWords  = regexp.MustCompile(`(?i)\b(?:elements?|items?|blocks?|entries|members|list must|set must|map must)\b`)
	quoted      = "\"(?:[^\"\\\\\n]|\\\\.)*\"|'[^'\n]*'|`[^`\n]*`|“[^”\n]*”|\\*\\*[^*\n]+\\*\\*"
	quotedItem  = regexp.MustCompile(quoted)
	brackets    = regexp.MustCompile(`\[[^\[\]\n]*\]|\{[^{}\n]*\}|\([^()\n]*\)`)
	run         = regexp.MustCompile(`(?:` + quoted + `)(?:(?:[\s,;|/]|\band\b|\bor\b|\([^()\n]*\)|&)+(?:` + quoted + `))*`)
	leadWords   = regexp.MustCompile(`(?i)\b(?:one of|any of|either|values?(?: for [^:\n]*?)?(?: are| is)?(?: of)?|must be|should be|can be|must equal|allowed|valid|supported|options?(?: are| is)?|expected|expecting|choose(?: from| between)?|defaults? to|set to|only|types?(?: are)?|possible|available|such as|like|e\.g\.,?|example)(?: \w+){0,4}[\s:=]*\(?\[?$`)
	bareList    = regexp.MustCompile(`(?i)\b(?:one of|any of|either|values?(?: for [^:\n]*?)? (?:are|is)|values?:|options? are|(?:allowed|supported|valid|possible|available|accepted)(?: \w+){0,3}?(?: are|:)|must be(?: one of)?|should be(?: one of)?|can be(?: one of)?|expected(?: one of)?|choose(?: from)?|types? are)[:\s]+([\w.\-/:]+(?:(?:\s*,\s*(?:or |and )?|\s+or\s+|\s*\|\s*|\s+and\s+)[\w.\-/:]+)+)`)
	separator   = regexp.MustCompile(`\s*[,;|]\s*(?:or |and )?|\s+or\s+|\s+and\s+`)
	negative    = regexp.MustCompile(`(?i)(?:none of|not (?:be |contain |match |equal )?(?:one of|any of)?|must not|cannot be|other than|except)[^.\n"'` + "`" + `\[]{0,20}$`)
	given       = regexp.MustCompile(`(?i)[,;:.]?\s*\b(?:but )?(?:got|received|found|was given|given value|is set to|provided value|current(?:ly| value)?)\b:?\s*(?:` + quoted + `|[^\s,]+)`)
	valueWords  = regexp.MustCompile(`(?i)to be one of|\bvalues\b|must be one of:`)
	justWord    = regexp.MustCompile(`^[A-Za-z]+$`)
	expression  = regexp.MustCompile(`(?i)(?:match(?:es|ing)?|regexp?|regular expression|pattern|satisf(?:y|ies)|format|form|conform)[^"'` + "`" + `^/\n]{0,60}`)
	anchored    = regexp.MustCompile(`\^[^\s]+\$|\^[^\n]*?\$(?:\s|$|["',)])`)
	begins      = regexp.MustCompile(`(?i)(?:(?:start|begin|starting|beginning|prefixed)s? (?:with|by)|prefix(?: of| is)?:?)(?: a| an| the)?(?: prefix)?[:\s]+(` + quoted + `|[^\s,;]+)`)
	ends        = regexp.MustCompile(`(?i)(?:(?:end|ending|suffixed)s? (?:with|in|by)|suffix(?: of| is)?:?)(?: a| an| the)?(?: suffix)?[:\s]+(` + quoted + `|[^\s,;]+)`)
)

// read parses the text of a diagnostic.
func read(text string) message {
	text = withoutElements(text)
	m := message{patterns: patterns(text)}
	lower := strings.ToLower(text)
	for _, a := range asks {
		if a.phrases.MatchString(lower) {
			m.asks = a.ask
			break
		}
	}
	plain := given.ReplaceAllString(text, "")
	for _, p := range m.patterns {
		plain = strings.ReplaceAll(plain, p, "")
	}
	m.valued = valueWords.MatchString(plain)
	m.lists = lists(plain)
	m.formats, m.shown = formats(plain), shownIn(plain)
	m.readBounds(plain)
	for i, phrase := range []*regexp.Regexp{begins, ends} {
		for _, found := range phrase.FindAllStringSubmatch(plain, -1) {
			text := strings.TrimRight(unquote(found[1]), ".,);")
			if text != "" && (text != found[1] && quotedItem.MatchString(found[1]) || !justWord.MatchString(text)) {
				m.affixes = append(m.affixes, affix{text, i == 1})
			}
		}
	}
	return m
}

func (m *message) readBounds(text string) {
	for _, b := range bounds {
		found := b.phrase.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		one := big.NewFloat(0)
		if b.open {
			one.SetInt64(1)
		}
		if m.least == nil && b.least > 0 {
			if m.least = numberOf(found[b.least]); m.least != nil {
				m.least.Add(m.least, one)
			}
		}
		if m.most == nil && b.most > 0 {
			if m.most = numberOf(found[b.most]); m.most != nil {
				m.most.Sub(m.most, one)
			}
		}
	}
	if strings.Contains(text, "positive") && m.least == nil {
		m.least = big.NewFloat(1)
	}
	if found := divisible.FindStringSubmatch(text); found != nil {
		m.step = numberOf(found[1])
	}
	switch {
	case countWords.MatchString(text):
		m.unit = unitCount
	case lengthWords.MatchString(text):
		m.unit = unitLength
	}
}

// numberOf parses a number. It returns nil if the text is not a number.
func numberOf(text string) *big.Float {
	text = strings.NewReplacer(",", "", "_", "").Replace(text)
	f, _, err := big.ParseFloat(strings.TrimRight(text, "."), 10, 128, big.ToNearestEven)
	if err != nil {
		return nil
	}
	return f
}

// lists returns the lists in a text. Lists in brackets come first.
func lists(text string) (all []list) {
	add := func(start int, quoted bool, items []string) {
		items = slices.DeleteFunc(items, func(item string) bool { return item == "" })
		before := strings.TrimRight(text[max(0, start-80):start], " \n")
		if at := strings.LastIndexByte(before, '\n'); at >= 0 {
			before = before[at+1:]
		}
		l := list{items, negative.MatchString(before), leadWords.MatchString(before), quoted}
		if len(items) > 0 && !slices.ContainsFunc(all, func(o list) bool { return slices.Equal(o.items, items) }) {
			all = append(all, l)
		}
	}
	rest := []byte(text)
	for _, at := range brackets.FindAllStringIndex(text, -1) {
		inside := text[at[0]+1 : at[1]-1]
		switch {
		case at[1] < len(text) && text[at[1]] == '(' || at[0] > 0 && wordByte(text[at[0]-1]) || text[at[0]] == '(' && !separator.MatchString(inside):
			continue // a link, an index, or a remark
		case quotedItem.MatchString(inside):
			add(at[0], true, unquoteAll(quotedItem.FindAllString(inside, -1)))
		default:
			items := strings.Fields(inside)
			if strings.ContainsAny(inside, ",;|") || text[at[0]] == '(' && separator.MatchString(inside) {
				items = separator.Split(strings.TrimSpace(inside), -1)
			}
			if slices.ContainsFunc(items, isProse) {
				continue
			}
			add(at[0], false, items)
		}
		for i := at[0]; i < at[1]; i++ {
			rest[i] = ' '
		}
	}
	for _, at := range run.FindAllIndex(rest, -1) {
		add(at[0], true, unquoteAll(quotedItem.FindAllString(string(rest[at[0]:at[1]]), -1)))
	}
	for _, at := range bareList.FindAllSubmatchIndex(rest, -1) {
		if items := separator.Split(string(rest[at[2]:at[3]]), -1); len(items) > 1 {
			for i := range items {
				items[i] = strings.TrimRight(items[i], ".:")
			}
			add(at[2], false, items)
		}
	}
	return all
}

// isProse reports whether an item is too long for a value, or a sentence.
func isProse(item string) bool {
	return strings.Count(item, " ") > 2 || strings.Contains(item, "must ")
}

// withoutElements removes the elements of sets from paths, because they may be long:
// a[Value({"b":["c"]})].d
func withoutElements(text string) string {
	for {
		start := strings.Index(text, "[Value(")
		if start < 0 {
			return text
		}
		depth, end := 0, len(text)
		for i := start; i < len(text) && end == len(text); i++ {
			switch text[i] {
			case '[':
				depth++
			case ']':
				if depth--; depth == 0 {
					end = i + 1
				}
			}
		}
		text = text[:start] + text[end:]
	}
}

// unquoteAll removes quotes. It also splits items that are quoted together: `a,b`.
func unquoteAll(items []string) (all []string) {
	for _, item := range items {
		if item[0] == '`' && strings.Contains(item, ",") {
			for _, part := range strings.Split(strings.Trim(item, "`"), ",") {
				all = append(all, strings.TrimSpace(part))
			}
			continue
		}
		all = append(all, unquote(item))
	}
	return all
}

func unquote(item string) string {
	if s, err := strconv.Unquote(item); err == nil && item[0] != '\'' {
		return s
	}
	return strings.Trim(item, "\"'`“”*")
}

// patterns returns the regular expressions in a text.
func patterns(text string) (all []string) {
	add := func(expr string) {
		if strings.ContainsAny(expr, `^$[\+*|`) && len(matches(expr, limits{})) > 0 && !slices.Contains(all, expr) {
			all = append(all, expr)
		}
	}
	for _, at := range expression.FindAllStringIndex(text, -1) {
		rest := text[at[1]:]
		for _, part := range quotedItem.FindAllStringIndex(rest, 1) {
			if part[0] == 0 {
				add(unquote(rest[:part[1]]))
				add(strings.Trim(rest[:part[1]], rest[:1]))
			}
		}
		if strings.HasPrefix(rest, "/") {
			if end := strings.IndexByte(rest[1:], '/'); end > 0 {
				add(rest[1 : end+1])
			}
		}
	}
	for _, found := range anchored.FindAllString(text, -1) {
		add(strings.TrimRight(found, "\"',) \t"))
	}
	return all
}
