package report

import (
	_ "embed"
	"io"
	"strings"
	"text/template"
	"unicode/utf8"
)

//go:embed badge.svg
var badgeText string

// badgeTemplate is filled with texts of our own, in which nothing is markup.
var badgeTemplate = template.Must(template.New("badge").Parse(badgeText))

// The measures of a badge. Text is at most as wide as its characters would be if all were
// wide ones of the font.
const (
	badgeLabel     = "conformance"
	badgeCharacter = 7 // pixels
	badgePadding   = 12
)

// writeBadge writes the score as SVG, which is a dash where there is none.
func (r *Report) writeBadge(w io.Writer) error {
	var total Score
	if r.Scores != nil {
		total = r.Scores.Total
	}
	score := total.score()
	if total.Coverage() < 1 && total.tried() > 0 {
		score += " of " + percent(total.Coverage())
	}
	score = strings.ReplaceAll(score, ".0 %", " %")
	wide := func(text string) int { return utf8.RuneCountInString(text)*badgeCharacter + badgePadding }
	label, value := wide(badgeLabel), wide(score)
	return badgeTemplate.Execute(w, map[string]any{
		"Label": badgeLabel, "Score": score, "Colour": total.colour(),
		"Width": label + value, "LabelWidth": label, "ScoreWidth": value,
		"LabelMiddle": label / 2, "ScoreMiddle": label + value/2,
	})
}

// colour is that of the score, dark enough for white text.
func (s Score) colour() string {
	part, some := s.Score()
	switch {
	case !some:
		return "#6a737d"
	case part == 1:
		return "#1a7f37"
	case part >= 0.9:
		return "#7a6200"
	}
	return "#b42318"
}
