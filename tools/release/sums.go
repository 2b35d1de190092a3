package main

import (
	"slices"
	"strings"

	"golang.org/x/mod/module"
)

// splitSums parts the lines of a go.sum: those of the siblings and all others.
func splitSums(text string, sibling func(path string) bool) (others, siblings []string) {
	for line := range strings.Lines(text) {
		if path, _, _ := strings.Cut(line, " "); sibling(path) {
			siblings = append(siblings, line)
		} else {
			others = append(others, line)
		}
	}
	return others, siblings
}

// joinSums makes a go.sum of lines, in the go command's order.
func joinSums(lines []string) string {
	byVersion := map[module.Version]string{}
	var versions []module.Version
	for _, line := range lines {
		if fields := strings.Fields(line); len(fields) == 3 {
			v := module.Version{Path: fields[0], Version: fields[1]}
			byVersion[v] = line
			versions = append(versions, v)
		}
	}
	module.Sort(versions)
	var text strings.Builder
	for _, v := range slices.Compact(versions) {
		text.WriteString(byVersion[v])
	}
	return text.String()
}

// changedLines returns the lines that only one of two texts has, the first's with
// "-" and the second's with "+" before them.
func changedLines(before, after string) []string {
	var changed []string
	for _, only := range []struct{ sign, of, not string }{{"-", before, after}, {"+", after, before}} {
		there := slices.Collect(strings.Lines(only.not))
		for line := range strings.Lines(only.of) {
			if !slices.Contains(there, line) {
				changed = append(changed, only.sign+strings.TrimSuffix(line, "\n"))
			}
		}
	}
	return changed
}
