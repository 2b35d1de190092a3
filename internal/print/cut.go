package print

import (
	"strconv"
	"unicode/utf8"
)

// brief quotes a string. If the string has many more than most characters, brief omits its middle.
func brief(text string, most int) string {
	if utf8.RuneCountInString(text) <= most+most/8 {
		return strconv.Quote(text)
	}
	head, end := strconv.Quote(text[:ahead(text, 0, most/2)]), strconv.Quote(text[back(text, len(text), most-most/2):])
	return head[:len(head)-1] + "…" + end[1:]
}

// sharedBeginning returns the number of bytes in the common prefix of two texts. It counts whole
// characters.
func sharedBeginning(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// ahead and back return the position some characters after and before a position.
func ahead(text string, from, characters int) int {
	for ; characters > 0 && from < len(text); characters-- {
		_, n := utf8.DecodeRuneInString(text[from:])
		from += n
	}
	return from
}

func back(text string, from, characters int) int {
	for ; characters > 0 && from > 0; characters-- {
		_, n := utf8.DecodeLastRuneInString(text[:from])
		from -= n
	}
	return from
}

// lead is the number of characters to show before the first difference.
const lead = 20

// window returns the part of a long text that shows a position.
func window(text string, from int) (start, end int) {
	if len(text) <= maxShown || ahead(text, 0, maxShown) == len(text) {
		return 0, len(text)
	}
	start = back(text, from, lead)
	end = ahead(text, start, maxShown)
	if end == len(text) {
		start = back(text, end, maxShown)
	}
	return start, end
}

// around cuts a text to the part that shows a position.
func around(text string, from int) string {
	start, end := window(text, from)
	return ellipsis(start > 0) + text[start:end] + ellipsis(end < len(text))
}

// quotedAround is like around, but quotes the text and does not split escapes.
func quotedAround(text string, from int) string {
	start, end := window(text, from)
	quoted := strconv.Quote(text[start:end])
	return `"` + ellipsis(start > 0) + quoted[1:len(quoted)-1] + ellipsis(end < len(text)) + `"`
}

func ellipsis(more bool) string {
	if more {
		return "…"
	}
	return ""
}
