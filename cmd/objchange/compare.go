package main

import (
	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"
)

// A difference is a place where a proposal is not what Core sent.
type difference struct {
	path    string // "" is the root
	message string
}

// compare returns where the proposal differs from the one that Core sent. Like
// a message of the library, it shows no sensitive value or map key.
func compare(schema *objchange.Block, sent, proposed cty.Value) []difference {
	if proposed.RawEquals(sent) {
		return nil
	}
	changes, err := objchange.Diff(schema, sent, proposed)
	if err != nil || len(changes) == 0 {
		// Diff sees all but what is promised of unknown values.
		return []difference{{message: "an unknown value promises something else than Core's"}}
	}
	var found []difference
	for _, change := range changes {
		d := difference{pathText(change), "not what Core proposed"}
		if len(found) == 0 || found[len(found)-1] != d {
			found = append(found, d)
		}
	}
	return found
}

// pathText returns the path of a change as the library writes it. The keys of
// a map may be as sensitive as what is below them, so the path to something
// sensitive ends before the first.
func pathText(change objchange.Change) string {
	path := change.Path
	if change.Sensitive {
		path = namesOnly(path)
	}
	return (&objchange.Violation{Path: path}).PathString()
}

// namesOnly returns the path up to its first index, key or set element.
func namesOnly(path cty.Path) cty.Path {
	for i, step := range path {
		if _, ok := step.(cty.GetAttrStep); !ok {
			return path[:i]
		}
	}
	return path
}
