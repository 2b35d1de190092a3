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

// secretive generates worlds with many sensitive attributes, in sets and elsewhere, and with an
// incorrect plan.
var secretive = rolling(func(d die) generate.World {
	var w generate.World
	if d.OneIn(2) {
		w = d.setWorld(generate.Scope{Depth: d.Die(2), InSet: true, Secrets: true})
	} else {
		w = d.Honest(d.Schema(generate.Scope{Depth: d.Die(4), Secrets: true}))
	}
	w.Planned = d.near(w, d.ChangePart(w.Planned))
	return w
})

func TestSecretsAreNeverShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := draw(t, secretive)
		salt := rapid.Uint32Min(1).Draw(t, "salt")
		if rapid.Bool().Draw(t, "without marks") {
			salt = 0
		}
		for _, f := range functions {
			expectSecrecy(t, f, secretMaker{w.Schema, salt, f.choose([]cty.Value{w.Prior, w.Config, w.Planned})})
		}
	})
}

// TestRecordedCasesKeepSecrets checks one in thirty recorded cases. Together they break all rules. The
// sensitive attributes of their schemas contain secrets. Every second case also has marks.
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
			texts += expectSecrecy(t, f, secretMaker{c.Schema.Block, cases % 2 * cases, f.choose(append(values[:1:1], values[len(values)-2:]...))})
		}
	}
	if texts < 10_000 {
		t.Errorf("only %d texts were read", texts)
	}
	t.Logf("%d texts", texts)
}

// expectSecrecy checks that the text of a function's answer contains no secret. It returns the number
// of texts.
func expectSecrecy(t rapid.TB, f function, s secretMaker) (texts int) {
	t.Helper()
	var filled []cty.Value
	for i := range s.values {
		filled = append(filled, s.fill(i))
	}
	a := f.call(s.schema, filled)
	for _, secret := range []string{secretText, strconv.Itoa(secretNumber / 1000)} {
		if strings.Contains(a.said(), secret) {
			t.Errorf("%s shows the secret %s:\n%s\nof %#v", f.name, secret, a.said(), filled)
		}
	}
	return len(a.found) + len(a.texts)
}
