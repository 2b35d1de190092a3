package audit

// unite returns a mask of what is true in either of two. Where their shapes
// differ, it is all that is there.
func unite(x, y any) any {
	switch {
	case !anyTrue(x):
		return y
	case !anyTrue(y):
		return x
	}
	switch x := x.(type) {
	case map[string]any:
		if y, ok := y.(map[string]any); ok {
			united := make(map[string]any, len(x))
			for name := range x {
				united[name] = unite(x[name], y[name])
			}
			for name := range y {
				united[name] = unite(x[name], y[name])
			}
			return united
		}
	case []any:
		if y, ok := y.([]any); ok {
			united := make([]any, max(len(x), len(y)))
			for i := range united {
				united[i] = unite(at(x, i), at(y, i))
			}
			return united
		}
	}
	return true
}

// onlyTrue returns a mask without what is not true in it, nil if that is all.
func onlyTrue(mask any) any {
	if !anyTrue(mask) {
		return nil
	}
	switch mask := mask.(type) {
	case map[string]any:
		kept := map[string]any{}
		for name, m := range mask {
			if m = onlyTrue(m); m != nil {
				kept[name] = m
			}
		}
		return kept
	case []any:
		var kept []any
		for i, m := range mask {
			if anyTrue(m) {
				kept = append(kept, make([]any, i-len(kept))...)
				kept = append(kept, onlyTrue(m))
			}
		}
		return kept
	}
	return mask
}
