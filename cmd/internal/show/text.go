package show

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/charmbracelet/x/ansi"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/internal/words"
)

// maxText limits the length of the text of a collection. Lines are much shorter.
const maxText = 1 << 14

// text returns the value on one line. The value must not be marked.
func text(v cty.Value) string {
	var b strings.Builder
	writeText(&b, v)
	return b.String()
}

func writeText(b *strings.Builder, v cty.Value) {
	switch ty := v.Type(); {
	case b.Len() > maxText:
	case !v.IsKnown():
		b.WriteString(textUnknown)
	case v.IsNull():
		b.WriteString("null")
	case ty == cty.String:
		b.WriteString(strconv.Quote(v.AsString()))
	case ty == cty.Number:
		b.WriteString(v.AsBigFloat().Text('f', -1))
	case ty == cty.Bool:
		b.WriteString(strconv.FormatBool(v.True()))
	case ty.IsMapType() || ty.IsObjectType():
		writeElements(b, v, "{}", ty.IsMapType())
	case v.CanIterateElements():
		writeElements(b, v, "[]", false)
	default:
		b.WriteString("(" + ty.FriendlyName() + ")")
	}
}

func writeElements(b *strings.Builder, v cty.Value, brackets string, quoted bool) {
	b.WriteByte(brackets[0])
	for it, first := v.ElementIterator(), true; it.Next() && b.Len() <= maxText; first = false {
		key, elem := it.Element()
		if !first {
			b.WriteString(", ")
		}
		switch {
		case quoted:
			b.WriteString(strconv.Quote(key.AsString()) + " = ")
		case brackets == "{}":
			b.WriteString(printable(key.AsString()) + " = ")
		}
		writeText(b, elem)
	}
	b.WriteByte(brackets[1])
}

// printable escapes characters that a terminal does not show as text.
func printable(s string) string { return words.Printable(s, "\t") }

// cut shortens the text to the given number of columns.
func cut(s string, width int) string {
	return ansi.Truncate(s, max(width, 1), "…")
}

// cutBoth shortens two texts to the given number of columns together. It removes the common
// beginning first.
func cutBoth(was, now string, width int) (string, string) {
	if ansi.StringWidth(was)+ansi.StringWidth(now) <= width {
		return was, now
	}
	half := max(width/2, 1)
	switch w, n := ansi.StringWidth(was), ansi.StringWidth(now); {
	case n <= half || now == textUnknown:
		return cut(was, width-n), now
	case w <= half:
		return was, cut(now, width-w)
	}
	context := min(12, half/2) // columns of the common beginning to keep
	if same := commonRunes(was, now); same > half-context {
		skip := same - context
		was, now = "…"+string([]rune(was)[skip:]), "…"+string([]rune(now)[skip:])
	}
	return cut(was, half), cut(now, half)
}

// commonRunes returns the number of runes that both texts begin with.
func commonRunes(a, b string) (n int) {
	other := []rune(b)
	for _, r := range a {
		if n == len(other) || other[n] != r {
			break
		}
		n++
	}
	return n
}

// isText reports whether an unmarked value is a string or null.
func isText(v cty.Value) bool {
	return v.IsKnown() && (v.IsNull() || v.Type() == cty.String)
}

func many(v cty.Value) bool {
	return !v.IsNull() && strings.Contains(strings.TrimSuffix(v.AsString(), "\n"), "\n")
}

// maxLines limits the number of lines of a text.
const maxLines = 40

// textLines returns an item for each line of a text, or for each changed line if there are two
// texts.
func textLines(before, after cty.Value) (lines []*item) {
	switch {
	case before.IsNull():
		lines = allLines(after.AsString())
	case after.IsNull():
		lines = allLines(before.AsString())
	default:
		lines = changedLines(before.AsString(), after.AsString())
	}
	if more := len(lines) - maxLines; more > 1 {
		lines = append(lines[:maxLines], note(fmt.Sprintf("(%d more lines hidden)", more))...)
	}
	return lines
}

func note(texts ...string) (lines []*item) {
	for _, text := range texts {
		lines = append(lines, &item{sign: signNone, note: true, now: text})
	}
	return lines
}

func allLines(s string) (lines []*item) {
	for line := range strings.Lines(s) {
		lines = append(lines, &item{sign: signNone, now: ended(line)})
	}
	return lines
}

func ended(line string) string { return printable(strings.TrimSuffix(line, "\n")) }

// changedLines returns the changed lines with two lines of context.
func changedLines(before, after string) (lines []*item) {
	const context = 2
	diff, err := udiff.ToUnifiedDiff("", "", before, udiff.Lines(before, after), context)
	if err != nil {
		return allLines(after)
	}
	signs := map[udiff.OpKind]sign{udiff.Delete: signRemove, udiff.Insert: signAdd, udiff.Equal: signNone}
	unchanged := func(n int) {
		var it item
		it.hide(n, "line")
		lines = append(lines, note(it.hidden...)...)
	}
	next := 1
	for _, hunk := range diff.Hunks {
		unchanged(hunk.FromLine - next)
		next = hunk.FromLine
		for _, line := range hunk.Lines {
			shown := &item{sign: signs[line.Kind], now: ended(line.Content)}
			if line.Kind != udiff.Insert {
				next++
			}
			if line.Kind != udiff.Equal && !strings.HasSuffix(line.Content, "\n") {
				shown.now += " (no newline at the end)"
			}
			lines = append(lines, shown)
		}
	}
	unchanged(len(allLines(before)) + 1 - next)
	return lines
}
