package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Scores are how an implementation did in the cases of package conformance.
type Scores struct {
	Total      Score         `json:"total"`
	Operations []Score       `json:"operations"`
	Rules      []RuleScore   `json:"rules,omitempty"`
	Failing    []FailingCase `json:"failing,omitempty"` // the smallest first, not all
}

// A Score counts the cases of an operation, or of all, each in one of the other counts.
type Score struct {
	Name        string `json:"operation,omitempty"`
	Cases       int    `json:"cases"`
	Same        int    `json:"same"`
	Value       int    `json:"value"`
	Verdict     int    `json:"verdict"`
	Naming      int    `json:"naming"`
	Malformed   int    `json:"malformed"`
	Crashed     int    `json:"crashed"`
	Silent      int    `json:"silent"`
	Unsupported int    `json:"unsupported"`
	NotAsked    int    `json:"not_asked"`
}

// A RuleScore counts the cases that want a rule to be named, and those answers that
// name it too much.
type RuleScore struct {
	Rule    string `json:"rule"`
	Wanted  int    `json:"wanted"`
	Found   int    `json:"found"`
	Missed  int    `json:"missed"` // what is neither was not answered, or without any rule
	Surplus int    `json:"surplus"`
}

// A FailingCase is a case that the implementation fails, as a person reads it.
type FailingCase struct {
	Case    string `json:"case"`
	Op      string `json:"op"`
	Verdict string `json:"verdict"`
	Text    string `json:"text"`
}

// Answered returns how many cases have an answer.
func (s Score) Answered() int { return s.Same + s.Value + s.Verdict + s.Naming + s.Unsupported }

// tried returns how many cases the implementation was asked and did not leave out.
func (s Score) tried() int { return s.Cases - s.NotAsked - s.Unsupported }

// Score returns which part of what it does the implementation does right. It is none
// where it does nothing.
func (s Score) Score() (part float64, some bool) {
	return float64(s.Same) / float64(max(s.tried(), 1)), s.tried() > 0
}

// Coverage returns which part of the cases it does, right or wrong.
func (s Score) Coverage() float64 { return float64(s.tried()) / float64(max(s.Cases, 1)) }

// MarshalJSON writes the counts, the score if there is one, and the coverage.
func (s Score) MarshalJSON() ([]byte, error) {
	type counts Score
	doc := struct {
		counts
		Score    *float64 `json:"score,omitempty"`
		Coverage float64  `json:"coverage"`
	}{counts: counts(s), Coverage: s.Coverage()}
	if part, some := s.Score(); some {
		doc.Score = &part
	}
	return json.Marshal(doc)
}

// percent writes a part, which is 100 % only where it is the whole.
func percent(part float64) string {
	return strconv.FormatFloat(math.Floor(part*1000)/10, 'f', 1, 64) + " %"
}

// score writes the score.
func (s Score) score() string {
	if part, some := s.Score(); some {
		return percent(part)
	}
	return "–"
}

// counts are the counts by name, in the order of columns.
func (s Score) counts() []count {
	return []count{
		{"cases", s.Cases}, {"same", s.Same}, {"value", s.Value}, {"verdict", s.Verdict}, {"naming", s.Naming},
		{"malformed", s.Malformed}, {"crashed", s.Crashed}, {"silent", s.Silent},
		{"unsupported", s.Unsupported}, {"not asked", s.NotAsked},
	}
}

type count struct {
	name string
	n    int
}

// always is how many of the counts have a column also where all is zero.
const always = 2

// operations returns the scores as a table, with a row of names and one of the total.
// Verdicts that there are none of have no column.
func (s *Scores) operations() (rows [][]string) {
	head := []string{"operation"}
	shown := []int{}
	for i, c := range s.Total.counts() {
		if i < always || c.n > 0 {
			head, shown = append(head, c.name), append(shown, i)
		}
	}
	rows = append(rows, append(head, "score", "coverage"))
	total := s.Total
	total.Name = "all"
	for _, score := range append(s.Operations[:len(s.Operations):len(s.Operations)], total) {
		row := []string{score.Name}
		for _, i := range shown {
			row = append(row, strconv.Itoa(score.counts()[i].n))
		}
		rows = append(rows, append(row, score.score(), percent(score.Coverage())))
	}
	return rows
}

// rules returns the rules as a table.
func (s *Scores) rules() (rows [][]string) {
	if len(s.Rules) == 0 {
		return nil
	}
	rows = append(rows, []string{"rule", "wanted", "found", "missed", "surplus"})
	for _, r := range s.Rules {
		rows = append(rows, []string{r.Rule, strconv.Itoa(r.Wanted), strconv.Itoa(r.Found), strconv.Itoa(r.Missed), strconv.Itoa(r.Surplus)})
	}
	return rows
}

// headline is the score in a line.
func (s *Scores) headline() string {
	return fmt.Sprintf("%s of %d cases right, %s covered", s.Total.score(), s.Total.tried(), percent(s.Total.Coverage()))
}
