// Package spelling finds the name that somebody may have meant.
package spelling

// Nearest returns the name that somebody may have meant: the first of those that
// are fewest slips away, or "" if all are too far.
func Nearest(name string, names []string) string {
	if len(name) < 2 {
		return ""
	}
	best, found := max(1, len(name)/3), "" // so many differences are allowed
	for _, other := range names {
		if d := slips(name, other); d <= best {
			best, found = d-1, other
		}
	}
	return found
}

// slips is how many bytes are too many, too few, others or in each other's place
// (the distance of Damerau and Levenshtein, without edits inside a swap).
func slips(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for i := range len(a) + 1 { // from the beginnings of a to those of b
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
