package spectest

import (
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/spectest/generate"
)

// This file checks that no function shows sensitive or marked values in its messages or paths.

// secretResources generates resources with many sensitive attributes, in sets and elsewhere, and
// with an incorrect plan.
var secretResources = generator(func(d decider) generate.Resource {
	var r generate.Resource
	if d.OneIn(2) {
		r = d.setResource(generate.Scope{Depth: d.Choose(2), InSet: true, Secrets: true})
	} else {
		r = d.Correct(d.Schema(generate.Scope{Depth: d.Choose(4), Secrets: true}))
	}
	r.Planned = d.variant(r, d.ChangePart(r.Planned))
	return r
})

func TestSecretsAreNeverShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, secretResources)
		salt := rapid.Uint32Min(1).Draw(t, "salt")
		if rapid.Bool().Draw(t, "without marks") {
			salt = 0
		}
		for _, f := range functions {
			expectNoSecrets(t, f, secretMaker{r.Schema, salt, f.argumentsOf([]cty.Value{r.Prior, r.Config, r.Planned})})
		}
	})
}

// TestRecordedCasesKeepSecrets checks one in thirty recorded cases. Together they break all rules.
// The sensitive attributes of their schemas contain secrets. Every second case also has marks.
func TestRecordedCasesKeepSecrets(t *testing.T) {
	telling := slices.DeleteFunc(slices.Clone(functions), func(f function) bool { return f.name != lifecycleCheck && f.name != "Diff" })
	texts, cases := 0, uint32(0)
	some := func(id string, _ conformance.Op) bool { return crc32.ChecksumIEEE([]byte(id))%30 == 0 }
	for c, err := range conformance.Select(some) {
		if err != nil {
			t.Fatal(err)
		}
		cases++
		var values []cty.Value
		for _, name := range []string{"prior", "initial", "config", "planned", "final", "applied"} {
			if v, ok := c.In[name]; ok {
				values = append(values, v)
			}
		}
		if len(values) < 2 {
			continue
		}
		for _, f := range telling {
			texts += expectNoSecrets(t, f, secretMaker{c.Schema.Block, cases % 2 * cases, f.argumentsOf(append(values[:1:1], values[len(values)-2:]...))})
		}
	}
	if texts < 10_000 {
		t.Errorf("found only %d texts", texts)
	}
	t.Logf("%d texts", texts)
}

// expectNoSecrets checks that the text of a function's result contains no secret. It returns the
// number of texts.
func expectNoSecrets(t rapid.TB, f function, s secretMaker) (texts int) {
	t.Helper()
	var filled []cty.Value
	for i := range s.values {
		filled = append(filled, s.fill(i))
	}
	a := f.call(s.schema, filled)
	for _, secret := range []string{secretText, strconv.Itoa(secretNumber / 1000)} {
		if strings.Contains(a.text(), secret) {
			t.Errorf("%s shows the secret %s:\n%s\nof %#v", f.name, secret, a.text(), filled)
		}
	}
	return len(a.found) + len(a.texts)
}
