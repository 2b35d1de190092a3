package show

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/objchange/objchange"
)

const (
	defaultWidth = 100 // if the output is not a terminal
	minWidth     = 40
	maxAligned   = 32 // columns of the longest label that is aligned
	markReplace  = "  # forces replacement"
)

// A printer writes items. Each level is indented by four more columns.
type printer struct {
	term  Terminal
	out   bytes.Buffer
	width int
}

func newPrinter(t Terminal) *printer {
	p := &printer{term: t, width: t.Width()}
	if p.width == 0 {
		p.width = defaultWidth
	}
	p.width = max(p.width, minWidth)
	return p
}

// header writes the line of the resource with its action.
func (p *printer) header(c Resource) {
	signs := map[objchange.Action]string{
		objchange.ActionCreate: p.sign(signAdd), objchange.ActionDelete: p.sign(signRemove),
		objchange.ActionUpdate: p.sign(signUpdate), Differs: p.sign(signUpdate),
		objchange.ActionReplace: p.sign(signRemove) + "/" + p.sign(signAdd),
	}
	if sign, ok := signs[c.Action]; ok {
		p.out.WriteString(sign + " ")
	}
	p.out.WriteString(p.term.Bold(printable(c.Address)) + " (" + string(c.Action) + ")\n")
}

func (p *printer) sign(s sign) string {
	switch s {
	case signAdd:
		return p.term.Good("+")
	case signRemove:
		return p.term.Bad("-")
	case signUpdate:
		return p.term.Warn("~")
	}
	return " "
}

// line writes a line. If the item is not nil, this is its first line, with its sign.
func (p *printer) line(depth int, it *item, text string) {
	line := strings.Repeat(" ", 4*depth)
	if it != nil {
		line += p.sign(it.sign) + " "
	}
	line += text
	if it != nil && it.replaced {
		line += p.term.Bad(markReplace)
	}
	p.out.WriteString(strings.TrimRight(line, " ") + "\n")
}

// comments writes comments about the items of a level.
func (p *printer) comments(depth int, texts []string) {
	for _, text := range texts {
		p.line(depth, nil, "  "+p.term.Dim("# "+text))
	}
}

func (p *printer) items(depth int, items []*item) {
	aligned := 0
	for _, it := range items {
		if w := ansi.StringWidth(it.label); !it.block && w <= maxAligned {
			aligned = max(aligned, w)
		}
	}
	for _, it := range items {
		p.item(depth, it, aligned)
	}
}

func (p *printer) item(depth int, it *item, aligned int) {
	label := printable(it.label)
	switch {
	case it.block:
		label += " "
	case label != "":
		label += strings.Repeat(" ", max(aligned-ansi.StringWidth(label), 0)) + " = "
	}
	switch {
	case it.note:
		p.line(depth, it, p.term.Dim(cut("# "+it.now, p.room(depth, it, ""))))
	case it.open != "" && len(it.items)+len(it.hidden) == 0:
		p.line(depth, it, label+it.open+closing[it.open])
	case it.open != "":
		p.line(depth, it, label+it.open)
		p.items(depth+1, it.items)
		p.comments(depth+1, it.hidden)
		p.line(depth, nil, "  "+closing[it.open])
	default:
		p.line(depth, it, label+p.values(it, p.room(depth, it, label)))
	}
}

var closing = map[string]string{"{": "}", "[": "]", "<<EOT": "EOT"}

// room returns the number of columns that remain after the label.
func (p *printer) room(depth int, it *item, label string) int {
	room := p.width - 4*depth - 2 - ansi.StringWidth(label)
	if it.replaced {
		room -= len(markReplace)
	}
	return max(room, 16)
}

func (p *printer) values(it *item, room int) string {
	const arrow = " -> "
	switch {
	case it.was == "":
		return cut(it.now, room)
	case it.now == "":
		return cut(it.was, room)
	}
	was, now := cutBoth(it.was, it.now, room-len(arrow))
	return was + p.term.Dim(arrow) + now
}
