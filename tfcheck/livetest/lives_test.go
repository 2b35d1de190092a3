package livetest_test

import (
	"iter"
)

// allLives returns the cases by their names: all breaches and repairs, each
// followed by the rest of a life, and the resources without a fault.
func allLives() iter.Seq2[string, life] {
	return func(yield func(string, life) bool) {
		for _, b := range breaches {
			name := "breach/" + string(b.rule) + "/" + b.typeName + "/" + b.rpc
			if !yield(name, life{b.made, b.rule, b.typeName, rest(b.run(b.typeName), b.typeName)}) {
				return
			}
		}
		for _, r := range repairs {
			name := "repair/" + string(r.rule) + "/" + r.typeName
			if !yield(name, life{r.made, r.rule, r.typeName, rest(r.run(r.typeName), r.typeName)}) {
				return
			}
		}
	}
}

// rest adds to the steps those of the rest of a life.
func rest(steps []step, typeName string) []step {
	if last := steps[len(steps)-1].doing; last == reading || last == opening {
		return steps
	}
	return append(steps,
		step{applying, full(typeName, "name", "b"), ""},
		step{replacing, full(typeName), ""},
		step{importing, full(typeName), ""},
		step{destroying, nil, ""},
	)
}
