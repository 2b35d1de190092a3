package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// secrets are the sensitive texts that have been seen. What the provider has to
// say may repeat them.
type secrets map[string]bool

// minSecret is how long a text must be to be taken for the secret wherever it is.
const minSecret = 4

// add adds what is sensitive or write-only in the values, with keys of maps.
func (s secrets) add(schema *objchange.Block, values ...cty.Value) {
	for _, v := range values {
		if v == cty.NilVal {
			continue
		}
		v, _ = v.UnmarkDeep()
		_ = cty.Walk(v, func(path cty.Path, part cty.Value) (bool, error) { // fails never
			if isSecret(schema, path) {
				s.addText(part)
				if key, ok := path[len(path)-1].(cty.IndexStep); ok {
					s.addText(key.Key)
				}
			}
			return true, nil
		})
	}
}

// isSecret reports whether the place is in an attribute that is not to be shown.
func isSecret(schema *objchange.Block, path cty.Path) bool {
	for i := range path {
		if attr := schema.AttributeByPath(path[:i+1]); attr != nil && (attr.Sensitive || attr.WriteOnly) {
			return true
		}
	}
	return false
}

// addText adds a string, also as it is in quotes.
func (s secrets) addText(v cty.Value) {
	if v.Type() != cty.String || !v.IsKnown() || v.IsNull() || len(v.AsString()) < minSecret {
		return
	}
	quoted := strconv.Quote(v.AsString())
	s[v.AsString()], s[quoted[1:len(quoted)-1]] = true, true
}

// hide returns the text without the secrets.
func (s secrets) hide(text string) string {
	longestFirst := slices.SortedFunc(maps.Keys(s), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	var pairs []string
	for _, secret := range longestFirst {
		pairs = append(pairs, secret, "(sensitive)")
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// said returns what a provider said, as it may be told.
func (s secrets) said(text string) string { return withoutDump(s.hide(text)) }

// withoutDump leaves of a panic the message and the first lines.
func withoutDump(text string) string {
	const enough = 8
	for _, start := range []string{"\npanic: ", "\nfatal error: "} {
		i := strings.Index(text, start)
		if i < 0 {
			continue
		}
		lines := strings.Split(text[i+1:], "\n")
		if len(lines) > enough {
			return text[:i+1] + strings.Join(lines[:enough], "\n") + "\n…"
		}
	}
	return text
}

// configure configures the provider. The error names the file for each problem.
func (d *drive) configure(ctx context.Context, file string, config any) error {
	if schema, err := d.driver.ProviderSchema(); err == nil && config != nil {
		if value, err := objchange.ValueOf(schema, config); err == nil { // else Configure tells
			d.secrets.add(schema, value)
		}
	}
	err := d.driver.Configure(ctx, config)
	if err == nil {
		return nil
	}
	if invalid := new(tfcheck.ConfigError); errors.As(err, &invalid) && file != "" {
		return notValid(file, invalid)
	}
	return errors.New(d.secrets.said(err.Error()))
}

// notValid returns the problems of a configuration, one in a line, each with the
// file.
func notValid(file string, invalid *tfcheck.ConfigError) error {
	var problems []error
	for _, problem := range words.Problems(invalid.Err) {
		problems = append(problems, fmt.Errorf("%s: %w", file, &tfcheck.ConfigError{What: invalid.What, Err: problem}))
	}
	return errors.Join(problems...)
}
