// Package spelling suggests names for misspelled names.
package spelling

// Nearest returns the first of the names with the smallest edit distance to name. It returns "" if
// all distances are too large.
func Nearest(name string, names []string) string {
	if len(name) < 2 {
		return ""
	}
	best, found := max(1, len(name)/3), "" // the maximal distance
	for _, other := range names {
		if d := distance(name, other); d <= best {
			best, found = d-1, other
		}
	}
	return found
}

// distance returns the edit distance of two texts in bytes: insertions, deletions, substitutions and
// swaps of neighbors (the Damerau–Levenshtein distance, without edits inside a swap).
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for i := range len(a) + 1 { // from the prefixes of a to the prefixes of b
		older, last, row := rows[(i+1)%3], rows[(i+2)%3], rows[i%3]
		for j := range row {
			switch {
			case i == 0 || j == 0:
				row[j] = i + j
			case a[i-1] == b[j-1]:
				row[j] = last[j-1]
			default:
				row[j] = 1 + min(last[j-1], last[j], row[j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return rows[len(a)%3][len(b)]
}
