package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"unicode/utf8"
)

// stateJSON returns a state as JSON for the provider.
func stateJSON(data any) []byte {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if enc.Encode(data) != nil {
		return nil // unreachable, because plainState rejects such data
	}
	return bytes.TrimSpace(text.Bytes())
}

// plainState returns data in the form that decoding JSON gives: maps, slices, strings, json.Number,
// bool and nil. It returns an error for data that JSON cannot express.
func plainState(data any) (map[string]any, error) {
	valid := true
	data = eachText(data, func(text string) string {
		valid = valid && utf8.ValidString(text)
		return text
	})
	text, err := json.Marshal(data)
	if err != nil || !valid {
		return nil, errors.New("the state contains data that JSON cannot express")
	}
	var plain map[string]any
	err = unmarshal(text, &plain)
	return plain, err
}

// eachText returns a copy of the data with edited texts, including keys. A number that is edited
// becomes a text.
func eachText(data any, edit func(string) string) any {
	switch data := data.(type) {
	case string:
		return edit(data)
	case json.Number:
		if text := edit(data.String()); text != data.String() {
			return text
		}
	case map[string]any:
		edited := make(map[string]any, len(data))
		for _, key := range slices.Sorted(maps.Keys(data)) {
			edited[edit(key)] = eachText(data[key], edit)
		}
		return edited
	case []any:
		edited := make([]any, len(data))
		for i, part := range data {
			edited[i] = eachText(part, edit)
		}
		return edited
	}
	return data
}

// state returns the state with hidden secrets.
func (s secrets) state(old *oldState) *oldState {
	if old == nil || s.whole == nil {
		return old
	}
	shown := *old
	shown.data = eachText(old.data, s.hide).(map[string]any)
	return &shown
}

// stateContains reports whether a state contains a secret.
func (s secrets) stateContains(old *oldState) bool {
	return old != nil && !bytes.Equal(stateJSON(s.state(old).data), stateJSON(old.data))
}

// reductions returns the parts of the state that can be removed. Parts near the root come first.
// Later elements come before earlier elements, because removing them does not change other indexes.
func (o *oldState) reductions() (all []reduction) {
	type place struct {
		path []any
		data any
	}
	for next := []place{{nil, o.data}}; len(next) > 0; next = next[1:] {
		at := next[0]
		add := func(step, data any) {
			path := append(slices.Clip(at.path), step)
			all, next = append(all, reduction{field: path}), append(next, place{path, data})
		}
		switch data := at.data.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(data)) {
				add(key, data[key])
			}
		case []any:
			for i := len(data) - 1; i >= 0; i-- {
				add(i, data[i])
			}
		}
	}
	return all
}

// withoutFields returns the scenario without fields of its state, and whether it differs.
func (sc scenario) withoutFields(part []reduction) (smaller scenario, differs bool) {
	smaller = sc
	for _, r := range part {
		smaller.old = smaller.old.without(r.field)
	}
	return smaller, smaller.old != sc.old
}

// without returns the state without the field or element at the path. It returns the same state if
// there is no such part.
func (o *oldState) without(path []any) *oldState {
	data, found := leaveOut(o.data, path)
	if !found {
		return o
	}
	smaller := *o
	smaller.data = data.(map[string]any)
	return &smaller
}

// leaveOut returns a copy of the data without the part at the path.
func leaveOut(data any, path []any) (_ any, found bool) {
	switch data := data.(type) {
	case map[string]any:
		key, ok := path[0].(string)
		part, has := data[key]
		if !ok || !has {
			return data, false
		}
		smaller := maps.Clone(data)
		if len(path) == 1 {
			delete(smaller, key)
			return smaller, true
		}
		smaller[key], found = leaveOut(part, path[1:])
		return smaller, found
	case []any:
		i, ok := path[0].(int)
		if !ok || i >= len(data) {
			return data, false
		}
		smaller := slices.Clone(data)
		if len(path) == 1 {
			return slices.Delete(smaller, i, i+1), true
		}
		smaller[i], found = leaveOut(data[i], path[1:])
		return smaller, found
	}
	return data, false
}
