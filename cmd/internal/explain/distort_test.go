package explain_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A distortion changes a text in a way that programs and people change it before it is pasted.
type distortion struct {
	name string
	of   func(text string, r *rand.Rand) string
}

var distortions = []distortion{
	{"wrapped between words", func(text string, r *rand.Rand) string { return softWrap(text, 30+r.IntN(90)) }},
	{"wrapped anywhere", func(text string, r *rand.Rand) string { return hardWrap(text, 20+r.IntN(100)) }},
	{"boxed", func(text string, r *rand.Rand) string { return boxed(softWrap(text, 60+r.IntN(40))) }},
	{"wrapped anywhere and boxed", func(text string, r *rand.Rand) string { return boxed(hardWrap(text, 40+r.IntN(60))) }},
	{"coloured", func(text string, r *rand.Rand) string {
		return strings.ReplaceAll(strings.ReplaceAll(boxed(softWrap(text, 78)), "│", "\x1b[31m│\x1b[0m\x1b[0m"), "Error: ", "\x1b[1m\x1b[31mError: \x1b[0m\x1b[0m\x1b[1m")
	}},
	{"colours without ESC", func(text string, r *rand.Rand) string {
		return strings.ReplaceAll(boxed(softWrap(text, 78)), "│", "[31m│[0m [0m")
	}},
	{"quoted twice, without a box", func(text string, r *rand.Rand) string {
		return prefixed(softWrap(text, 78), func(int) string { return "> > " })
	}},
	{"numbered", func(text string, r *rand.Rand) string {
		n := r.IntN(200)
		return prefixed(boxed(softWrap(text, 78)), func(i int) string { return fmt.Sprintf("%4d  ", n+i) })
	}},
	{"numbered by grep", func(text string, r *rand.Rand) string {
		n := 95
		return prefixed(softWrap(text, 50), func(i int) string { return fmt.Sprintf("%d:", n+i) })
	}},
	{"numbered with bars", func(text string, r *rand.Rand) string {
		return prefixed(hardWrap(text, 50), func(i int) string { return fmt.Sprintf("%d | ", 8+i) })
	}},
	{"gh run view", func(text string, r *rand.Rand) string {
		return prefixed(boxed(softWrap(text, 78)), func(i int) string {
			return fmt.Sprintf("plan (eu)\tRun terraform apply\t2026-01-02T03:04:%02d.1234567Z ", i%60)
		})
	}},
	{"timestamps in brackets", func(text string, r *rand.Rand) string {
		return prefixed(softWrap(text, 60), func(i int) string { return fmt.Sprintf("[2026-01-02 03:04:%02d] ", i%60) })
	}},
	{"Windows", func(text string, r *rand.Rand) string {
		return strings.ReplaceAll(boxed(softWrap(text, 78)), "\n", "\r\n")
	}},
	{"in one line", func(text string, r *rand.Rand) string { return strings.Join(strings.Fields(text), " ") }},
	{"in a bullet", func(text string, r *rand.Rand) string {
		return "error: 1 error occurred:\n\t* " + strings.ReplaceAll(strings.Replace(strings.TrimPrefix(text, "Error: "), "\n\n", ": ", 1), "\n\n", "\n\t")
	}},
	{"in Markdown", func(text string, r *rand.Rand) string {
		return "It fails:\n\n```\n" + boxed(softWrap(text, 78)) + "\n```\n\nWhat can I do?"
	}},
	{"a container, without a box", func(text string, r *rand.Rand) string {
		return prefixed(softWrap(text, 78), func(i int) string { return "tf-1  | " })
	}},
	{"a level and a padded number", func(text string, r *rand.Rand) string {
		return prefixed(softWrap(text, 78), func(i int) string { return fmt.Sprintf("[ERROR] line %3d: ", 98+i) })
	}},
	{"an excerpt with numbers", func(text string, r *rand.Rand) string {
		return "I have this\nwith two\nworkspaces:\n\n" + prefixed(softWrap(text, 78), func(i int) string { return fmt.Sprintf(" %d  ", 98+i) }) + "\n\nWhat now?\nThanks\nBye\nPS: 1.5\n1\n2\n3\n4\n5\n6\n7"
	}},
	{"Cloud Build", func(text string, r *rand.Rand) string {
		return prefixed(boxed(softWrap(text, 78)), func(i int) string { return `Step #2 - "tf apply": ` })
	}},
	{"Docker's JSON", func(text string, r *rand.Rand) string {
		return jsonLines(boxed(softWrap(text, 78)), func(line string) any {
			return map[string]string{"log": line + "\n", "stream": "stderr", "time": "2026-01-02T03:04:05Z"}
		})
	}},
	{"Terragrunt's JSON", func(text string, r *rand.Rand) string {
		return jsonLines(boxed(softWrap(text, 78)), func(line string) any { return map[string]string{"level": "stderr", "msg": line, "prefix": "vpc"} })
	}},
	{"escaped underscores", func(text string, r *rand.Rand) string { return strings.ReplaceAll(softWrap(text, 78), "_", `\_`) }},
	{"a JSON string", func(text string, r *rand.Rand) string { return "[\n  " + strconv.Quote(text) + ",\n]" }},
	{"indented", func(text string, r *rand.Rand) string {
		return prefixed(softWrap(text, 78), func(int) string { return "        " })
	}},
}

func jsonLines(text string, object func(line string) any) string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		text, err := json.Marshal(object(line))
		if err != nil {
			panic(err)
		}
		all = append(all, string(text))
	}
	return strings.Join(all, "\n")
}

func prefixed(text string, prefix func(i int) string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = prefix(i) + lines[i]
	}
	return strings.Join(lines, "\n")
}

func boxed(text string) string {
	return "╷\n" + prefixed(text, func(int) string { return "│ " }) + "\n╵"
}

// softWrap wraps lines between words, as Terraform does.
func softWrap(text string, width int) string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		for {
			if utf8.RuneCountInString(line) <= width {
				break
			}
			i := strings.LastIndex(line[:min(len(line), width+1)], " ")
			if i <= 0 {
				if i = strings.Index(line, " "); i < 0 {
					break
				}
			}
			all = append(all, line[:i])
			line = line[i+1:]
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

// hardWrap wraps lines at any character, as a terminal does.
func hardWrap(text string, width int) string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		runes := []rune(line)
		for len(runes) > width {
			all = append(all, string(runes[:width]))
			runes = runes[width:]
		}
		all = append(all, string(runes))
	}
	return strings.Join(all, "\n")
}
