package search

import "iter"

// An item is an element of one of several lists.
type item[E any] struct {
	list int
	item E
}

// rounds yields the first element of each list, then the second of each, and so on.
func rounds[E any](lists [][]E) iter.Seq[item[E]] {
	return func(yield func(item[E]) bool) {
		for i, more := 0, true; more; i++ {
			more = false
			for n, list := range lists {
				if i >= len(list) {
					continue
				}
				if more = true; !yield(item[E]{n, list[i]}) {
					return
				}
			}
		}
	}
}

// InTurn yields the first element of each sequence, then the second of each, and so on.
func InTurn[E any](all ...iter.Seq[E]) iter.Seq[E] {
	return func(yield func(E) bool) {
		var next []func() (E, bool)
		for _, seq := range all {
			pull, stop := iter.Pull(seq)
			defer stop()
			next = append(next, pull)
		}
		for more := true; more; {
			more = false
			for _, pull := range next {
				v, ok := pull()
				if ok && !yield(v) {
					return
				}
				more = more || ok
			}
		}
	}
}
