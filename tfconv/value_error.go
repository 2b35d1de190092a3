package tfconv

import (
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/zclconf/go-cty/cty"
)

// placed is an error inside a value, with the way to the place from the end: each
// level adds its own step as the error passes, so that no way is kept where all
// is well.
type placed struct {
	steps  []cty.PathStep
	free   int // how many of the first are inside something dynamic, where names come from the data
	reason string
	names  string // more of the reason, where names do not come from the data
}

func (p *placed) Error() string { return p.reason }

func wrong(reason string) error { return &placed{reason: reason} }

// at adds a step to an error.
func at(step cty.PathStep, err error) error {
	if p, ok := err.(*placed); ok {
		p.steps = append(p.steps, step)
	}
	return err
}

func atAttr(name string, err error) error { return at(cty.GetAttrStep{Name: name}, err) }
func atKey(key string, err error) error   { return at(cty.IndexStep{Key: cty.StringVal(key)}, err) }
func atIndex(i int, err error) error      { return at(cty.IndexStep{Key: cty.NumberIntVal(int64(i))}, err) }

// free says that all the way so far is inside something dynamic.
func free(err error) error {
	if p, ok := err.(*placed); ok {
		p.free = len(p.steps)
	}
	return err
}

// told returns an error for the caller, with its place.
func told(err error) error {
	p, ok := err.(*placed)
	if !ok {
		return err
	}
	if p.free == 0 {
		p.reason += p.names
	}
	slices.Reverse(p.steps)
	return errorAt(p.steps, len(p.steps)-p.free, p.reason)
}

// errorAt says what is wrong at the end of a path, of a value that is not to be
// shown: neither are the keys of maps, and names of the data, from a step on.
func errorAt(path cty.Path, freeFrom int, reason string) error {
	shown := path.Copy()
	for i, step := range shown {
		switch step := step.(type) {
		case cty.GetAttrStep:
			if i >= freeFrom {
				shown[i] = cty.IndexStep{Key: hiddenKey}
			}
		case cty.IndexStep:
			if step.Key.Type() == cty.String {
				shown[i] = cty.IndexStep{Key: hiddenKey}
			}
		}
	}
	place := objchange.PathString(shown)
	if place == "" {
		place = "the value"
	}
	return &ctydata.ValueError{Path: path, Place: place, Hidden: true, Reason: reason}
}

var hiddenKey = cty.StringVal("").Mark("hidden")
