package expect

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/paths"
	"github.com/objchange/objchange/internal/values"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// A target is a path and the value at the path.
type target struct {
	path  cty.Path
	value cty.Value
}

// follow returns the value at the path. The error says at which step the path ends. Inside a
// sensitive value it only says that no such path exists.
func follow(schema *objchange.Schema, value cty.Value, path string) (target, error) {
	at := target{value: value}
	names, err := splitPath(path)
	if err != nil {
		return at, err
	}
	for _, name := range names {
		at, err = at.into(name)
		switch {
		case err != nil && inSecret(schema, at.path):
			return at, fmt.Errorf("%s is sensitive and has no %q", schema.PathString(at.path), name)
		case err != nil:
			return at, fmt.Errorf("%s %w", cmp.Or(schema.PathString(at.path), "the object"), err)
		}
	}
	return at, nil
}

// pathStep matches the first step of a path, with its name, index or key.
var pathStep = regexp.MustCompile(`^(?:\.([^.\[\]]+)|\[([0-9]+)\]|\[("(?:[^"\\]|\\.)*")\])`)

// splitPath returns the names, indexes and keys in a path, such as .rule[0].tags["env"].
func splitPath(path string) (names []string, err error) {
	if path == "" {
		return nil, errors.New(`"" is not a path: to check the whole object, pass the expected object instead of the map`)
	}
	rest := path
	if !strings.HasPrefix(rest, ".") {
		rest = "." + rest
	}
	for rest != "" {
		step := pathStep.FindStringSubmatch(rest)
		if step == nil {
			return nil, fmt.Errorf("%q is not a path: syntax error at %q", path, rest)
		}
		name := step[1] + step[2]
		if step[3] != "" {
			if name, err = strconv.Unquote(step[3]); err != nil {
				return nil, fmt.Errorf("%q is not a path: %s is not a key", path, step[3])
			}
		}
		names, rest = append(names, name), rest[len(step[0]):]
	}
	return names, nil
}

// into follows one step. With an error, it returns the target that the error refers to.
func (at target) into(name string) (target, error) {
	v, ty := at.value, at.value.Type()
	step := paths.Step{Kind: paths.ByKey, Name: name}.Fit(ty)
	part, ok := step.Into(v)
	switch {
	case v.IsNull():
		return at, fmt.Errorf("is null and has no %q", name)
	case !v.IsKnown():
		return at, fmt.Errorf("is unknown and has no %q", name)
	case ok:
		return target{append(at.path.Copy(), step.PathStep()), part}, nil
	case ty.IsSetType():
		return at, errors.New("is a set: check it as a whole, because no path leads to its elements")
	case ty.IsObjectType():
		names := slices.Sorted(maps.Keys(ty.AttributeTypes()))
		return at, fmt.Errorf("has no attribute or block %q%s", name, catalog.Meant(name, names))
	case ty.IsListType(), ty.IsTupleType():
		return at, fmt.Errorf("has no element [%s]: the length is %d", name, v.LengthInt())
	}
	return at, fmt.Errorf("is %s and has no %q", values.Noun(ty), name)
}
