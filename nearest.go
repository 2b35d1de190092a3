package objchange

// nearest returns the name that somebody may have meant: the first of those that
// are fewest slips away, or "" if all are too far.
func nearest(name string, names []string) string {
	best, found := 1+len(name)/3, "" // as many slips are forgiven
	for _, other := range names {
		if d := slips(name, other); d <= best {
			best, found = d-1, other
		}
	}
	return found
}

// slips is how many bytes are too many, too few or others (Levenshtein's
// distance).
func slips(a, b string) int {
	row := make([]int, len(b)+1) // from what is read of a to each beginning of b
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
