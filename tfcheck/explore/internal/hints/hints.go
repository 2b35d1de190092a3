// Package hints reads the facts about a provider that its user knows, and matches them with types.
package hints

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
)

// Hints have the content of a hints file, as explore.Hints.
type Hints struct {
	name string // of the file
	file file
}

// content returns the content of the file, which is empty for nil hints.
func (h *Hints) content() file {
	if h == nil {
		return file{}
	}
	return h.file
}

// Env returns the environment variables for the provider, each as NAME=value, sorted. Pass them to
// driver.WithEnv, because Explore and Run do not set them.
func (h *Hints) Env() (env []string) {
	for name, value := range h.content().Provider.Env {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

// ProviderConfig returns the configuration of the provider, or cty.NilVal if the hints have none.
func (h *Hints) ProviderConfig(schema *configschema.Block) (cty.Value, error) {
	given := h.content().Provider.Config
	if given == nil {
		return cty.NilVal, nil
	}
	config, err := ctydata.ValueOf(schema, given)
	if err != nil {
		return cty.NilVal, fmt.Errorf("provider.config of the hints: %w", err)
	}
	return config, nil
}

// Values returns the values for a slot of the type. The type of the provider's own configuration is
// "provider". The first pattern that matches determines the values.
func (h *Hints) Values(typeName, slot string) []cty.Value {
	for _, e := range h.content().Values {
		if e.key.Matches(typeName + "." + slot) {
			return e.value
		}
	}
	return nil
}

// Gives reports whether the hints contain the value of a slot, or of a slot around it.
func (h *Hints) Gives(typeName, slot string) bool {
	if h.content().Provider.Config != nil && typeName == string(scenario.Configuration) {
		return true
	}
	for ; slot != ""; slot = outer(slot) {
		if h.Values(typeName, slot) != nil {
			return true
		}
	}
	return false
}

// outer returns the slot around a slot, or "".
func outer(slot string) string { return slot[:max(strings.LastIndexByte(slot, '.'), 0)] }

// Skipped returns the reason why the type is not explored, or "".
func (h *Hints) Skipped(typeName string) string {
	for _, e := range h.content().Skip {
		if e.key.Matches(typeName) {
			return e.value
		}
	}
	return ""
}

// Reads reports whether a data source or an ephemeral resource may be read.
func (h *Hints) Reads(typeName string) bool {
	return slices.ContainsFunc(h.content().Read, func(p Pattern) bool { return p.Matches(typeName) })
}
