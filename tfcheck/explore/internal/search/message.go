package search

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A message contains the parts of a diagnostic's text. The meaning of a part depends on the subject
// of the diagnostic: names in a list may be values or attributes.
type message struct {
	lists    []list
	limits   limits
	valued   bool     // the lists contain values, even if they look like names
	shown    []string // values that the text shows, or says how to build
	patterns []string // regular expressions
	prefix   string   // of a string
	suffix   string
	formats  []string // examples of the formats that the text mentions
	asks     ask
}

// A list is a list of items in a text, in one of the forms [a b], "a", "b" and a, b or c.
type list struct {
	items  []string
	not    bool // the items are not allowed
	lead   bool // words before the list introduce it as values
	quoted bool
}

// An ask is the kind of change that a message requires.
type ask string

const (
	asksFewer ask = "fewer of the named attributes"
	asksOne   ask = "exactly one of the named attributes"
	asksAny   ask = "at least one of the named attributes"
	asksAll   ask = "all of the named attributes"
	asksMore  ask = "the missing attribute"
	asksNone  ask = "without the attribute"
)

var (
	lengthWords = regexp.MustCompile(`(?i)length|characters?\b|\bbytes? long|\blong\b|digits?\b|\bletters\b|too short`)
	countWords  = regexp.MustCompile(
		`(?i)\b(?:elements?|items?|blocks?|entries|members|list must|set must|map must)\b`)
	quoted     = "\"(?:[^\"\\\\\n]|\\\\.)*\"|'[^'\n]*'|`[^`\n]*`|“[^”\n]*”|\\*\\*[^*\n]+\\*\\*"
	quotedItem = regexp.MustCompile(quoted)
	brackets   = regexp.MustCompile(`\[[^\[\]\n]*\]|\{[^{}\n]*\}|\([^()\n]*\)`)
	run        = regexp.MustCompile(
		`(?:` + quoted + `)(?:(?:[\s,;|/]|\band\b|\bor\b|\([^()\n]*\)|&)+(?:` + quoted + `))*`)
	leadWords = regexp.MustCompile(`(?i)\b(?:one of|any of|either|values?(?: for [^:\n]*?)?(?: are| is)?(?: of)?|` +
		`must be|should be|can be|must equal|allowed|valid|supported|options?(?: are| is)?|expected|expecting|` +
		`choose(?: from| between)?|defaults? to|set to|only|types?(?: are)?|possible|available|` +
		`such as|like|e\.g\.,?|example)(?: \w+){0,4}[\s:=]*\(?\[?$`)
	bareList = lazy(`(?i)\b(?:one of|any of|either|values?(?: for [^:\n]*?)? (?:are|is)|values?:|` +
		`options? are|(?:allowed|supported|valid|possible|available|accepted)(?: \w+){0,3}?(?: are|:)|` +
		`(?:must|should|can) be(?: one of)?|expected(?: one of)?|choose(?: from)?|types? are)[:\s]+` +
		`(` + bareItem + `(?:` + bareSeparator + bareItem + `)+)`)
	bareItem      = `[\w.\-/:]+`
	bareSeparator = `(?:\s*,\s*(?:or |and )?|\s+or\s+|\s*\|\s*|\s+and\s+)`
	separator     = regexp.MustCompile(`\s*[,;|]\s*(?:or |and )?|\s+or\s+|\s+and\s+`)
	negative      = regexp.MustCompile(`(?i)(?:none of|not (?:be |contain |match |equal )?(?:one of|any of)?|must not|` +
		`cannot be|other than|except)[^.\n"'` + "`" + `\[]{0,20}$`)
	given = lazy(`(?i)[,;:.]?\s*\b(?:but )?(?:got|received|found|was given|given value|is set to|` +
		`provided value|current(?:ly| value)?)\b:?\s*(?:` + quoted + `|[^\s,]+)`)
	valueWords = regexp.MustCompile(`(?i)to be one of|\bvalues\b|must be one of:`)
	justWord   = regexp.MustCompile(`^[A-Za-z]+$`)
	expression = regexp.MustCompile(`(?i)(?:match(?:es|ing)?|regexp?|regular expression|pattern|satisf(?:y|ies)|` +
		`format|form|conform)[^"'` + "`" + `^/\n]{0,60}`)
	anchored = regexp.MustCompile(`\^[^\s]+\$|\^[^\n]*?\$(?:\s|$|["',)])`)
)

// read parses the text of a diagnostic.
func read(text string) message {
	text = withoutElements(text)
	m := message{patterns: patterns(text)}
	plain := given().ReplaceAllString(text, "")
	for _, p := range m.patterns {
		plain = strings.ReplaceAll(plain, p, "")
	}
	for _, p := range phrases {
		switch {
		case p.fact != nil:
			for _, groups := range p.words().FindAllStringSubmatch(plain, -1) {
				p.fact(&m, groups)
			}
		case m.asks == "" && p.words().MatchString(text):
			m.asks = p.ask
		}
	}
	m.valued, m.lists, m.formats = valueWords.MatchString(plain), lists(plain), formats(plain)
	switch {
	case countWords.MatchString(plain):
		m.limits.unit = unitCount
	case lengthWords.MatchString(plain):
		m.limits.unit = unitLength
	}
	return m
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
		separated, round := separator.MatchString(inside), text[at[0]] == '('
		isLink := at[1] < len(text) && text[at[1]] == '('
		isIndex := at[0] > 0 && wordByte(text[at[0]-1])
		if isLink || isIndex || round && !separated {
			continue
		}
		items, quoted := unquoteAll(quotedItem.FindAllString(inside, -1)), quotedItem.MatchString(inside)
		switch {
		case quoted:
		case round || strings.ContainsAny(inside, ",;|"):
			items = separator.Split(strings.TrimSpace(inside), -1)
		default:
			items = strings.Fields(inside)
		}
		if !quoted && slices.ContainsFunc(items, isProse) {
			continue
		}
		add(at[0], quoted, items)
		for i := at[0]; i < at[1]; i++ {
			rest[i] = ' '
		}
	}
	for _, at := range run.FindAllIndex(rest, -1) {
		add(at[0], true, unquoteAll(quotedItem.FindAllString(string(rest[at[0]:at[1]]), -1)))
	}
	for _, at := range bareList().FindAllSubmatchIndex(rest, -1) {
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

var setElement = regexp.MustCompile(`(?s)\[Value\(.*?\)\]`)

// withoutElements removes the elements of sets from paths, because they may be long:
// a[Value({"b":["c"]})].d
func withoutElements(text string) string { return setElement.ReplaceAllString(text, "") }

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
		if part := quotedItem.FindString(rest); part != "" && strings.HasPrefix(rest, part) {
			add(unquote(part))
			add(strings.Trim(part, rest[:1]))
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
