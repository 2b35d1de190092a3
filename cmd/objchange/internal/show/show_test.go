package show_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
)

var update = flag.Bool("update", false, "write the golden files anew")

// changes are those of a resource with testdata/schema.json, from before to
// after.
var changes = []struct{ name, before, after, more string }{
	{name: "nothing", before: `{}`, after: `{}`},
	{name: "nothing but what there is", before: `{"name": "a", "rule": [{}, {}], "zone": {"a": {}}}`, after: `{"name": "a", "rule": [{}, {}], "zone": {"a": {}}}`},
	{name: "create", before: `null`, after: `{"id": {"$unknown": true}, "name": "a", "size": 12, "on": true, "tags": {"a": "b"}, "list": [], "set": ["a"], "rule": [{"port": 80}], "zone": {"eu": {"port": 1}}, "token": "canary"}`},
	{name: "create nothing", before: `null`, after: `{}`},
	{name: "delete", before: `{"id": "i", "name": "a", "size": 12, "tags": {"a": "b"}, "rule": [{"port": 80, "peer": [{"ip": "10.0.0.1"}]}], "token": "canary"}`, after: `null`},
	{name: "update", before: `{"id": "i", "name": "a", "size": 1.5, "on": true, "set": ["a"]}`, after: `{"id": {"$unknown": true}, "name": "b", "size": 25, "set": ["a"]}`},
	{name: "replace", before: `{"id": "i", "name": "a", "tags": {"a": "b"}, "rule": [{"port": 1}]}`, after: `{"id": {"$unknown": true}, "name": "b", "tags": {"a": "c"}, "rule": [{"port": 2}]}`,
		more: `"requires_replace": [["name"], ["tags"], ["rule", 0, "port"]]`},
	{name: "replace what nobody sees", before: `{"id": "i"}`, after: `{"id": "i"}`, more: `"requires_replace": [["password"]]`},
	{name: "replace where nothing changes", before: `{"id": "i", "name": "a", "rule": [{"port": 1}]}`, after: `{"id": "i", "name": "b", "rule": [{"port": 1}]}`,
		more: `"requires_replace": [["name"], ["id"], ["tags"], ["rule"], ["rule", 0, "port"]]`},
	{name: "unknown as a whole", before: `{"id": "i"}`, after: `{"$unknown": true}`},

	{name: "maps", before: `{"tags": {"a": "1", "b": "2", "with space": "3", "d": "4"}}`, after: `{"tags": {"a": "1", "b": "3", "with space": {"$unknown": true}, "longer": "5"}}`},
	{name: "map comes", before: `{}`, after: `{"tags": {"a": "1"}}`},
	{name: "map goes", before: `{"tags": {}}`, after: `{}`},
	{name: "lists", before: `{"list": ["0","1","2","3","4","5","6","7","8","9","10"]}`, after: `{"list": ["0","b","2","3","4","5","6","7","8","9","c","d"]}`},
	{name: "list becomes shorter", before: `{"list": ["a", "b", "c"]}`, after: `{"list": ["a"]}`},
	{name: "sets", before: `{"set": ["a", "b", "c"]}`, after: `{"set": ["a", "d"]}`},
	{name: "set with something unknown", before: `{"set": ["a"]}`, after: `{"set": ["a", {"$unknown": true}]}`},
	{name: "deep values", before: `{"tree": {"k": [{"a": "x", "b": 1}, {"a": "y", "b": 2}]}}`, after: `{"tree": {"k": [{"a": "x", "b": 1}, {"a": "z", "b": 2}], "l": []}}`},
	{name: "objects in a set", before: `{"objects": [{"a": "x", "b": 1}]}`, after: `{"objects": [{"a": "x", "b": 2}]}`},
	{name: "another type", before: `{"any": {"a": [1, true, null]}}`, after: `{"any": "text"}`},
	{name: "the same type", before: `{"any": {"a": [1, true], "b": "c"}}`, after: `{"any": {"a": [2, true], "b": "c"}}`},

	{name: "nested attributes", before: `{"one": {"port": 1, "secret": "canary1"}, "some": [{"port": 1, "note": "a"}, {"port": 2}], "by_name": {"x": {"port": 1}, "y": {"port": 2}}}`,
		after: `{"one": {"port": 2, "secret": "canary2"}, "some": [{"port": 3, "note": "a"}, {"port": 2}, {}], "by_name": {"x": {"port": 2}}}`},
	{name: "nested attributes in a group", before: `{"grouped": {"port": 1}}`, after: `{"grouped": {"port": 2}}`},
	{name: "nested attributes in a set", before: `{"bag": [{"port": 1, "secret": "canary1"}, {"port": 2}]}`, after: `{"bag": [{"port": 1, "secret": "canary2"}, {"port": 2}, {"port": {"$unknown": true}}]}`},
	{name: "nested attributes are unknown", before: `{"one": {"port": 1, "secret": "canary"}}`, after: `{"one": {"$unknown": true}, "some": [{"$unknown": true}]}`},
	{name: "blocks", before: `{"single": {"port": 1}, "rule": [{"port": 1, "note": "a", "peer": [{"ip": "a"}, {"ip": "b", "secret": "canary1"}]}, {"port": 2}], "zone": {"eu": {"port": 1}, "us": {"port": 2}, "as": {}}}`,
		after: `{"group": {"port": 1}, "rule": [{"port": 1, "note": "a", "peer": [{"ip": "a"}, {"ip": "b", "secret": "canary2"}]}, {"port": 3}, {}], "zone": {"eu": {"port": 1}, "us": {"port": 3}}}`},
	{name: "empty nested attributes and blocks", before: `null`, after: `{"one": {}, "some": [], "by_name": {}, "bag": [], "single": {}, "rule": [{}], "zone": {"eu": {}}}`},
	{name: "null instead of no blocks", before: `{"rule": []}`, after: `{"rule": null}`},
	{name: "unknown blocks", before: `{"rule": [{"port": 1}]}`, after: `{"rule": {"$unknown": true}, "zone": {"eu": {"$unknown": true}}}`},

	{name: "sensitive by the schema", before: `{"token": "canary1", "keys": {"canary": "a"}}`, after: `{"token": "canary2", "keys": {"canary": "b"}}`},
	{name: "sensitive comes and goes", before: `{"token": "canary1"}`, after: `{"keys": {"canary": {"$unknown": true}}}`},
	{name: "marked", before: `{"name": "canary1", "tags": {"a": "canary", "b": "c"}, "list": ["canary"], "rule": [{"note": "canary1"}]}`,
		after: `{"name": {"$sensitive": "canary2"}, "tags": {"a": {"$sensitive": "canary2"}, "b": "d"}, "list": {"$sensitive": ["canary2", "canary3"]}, "rule": [{"note": {"$sensitive": "canary2"}}]}`},
	{name: "marked blocks", before: `{"rule": [{"note": "a", "peer": [{"ip": "canary"}]}, {"note": "canary"}]}`,
		after: `{"rule": [{"note": "b", "peer": [{"ip": {"$sensitive": "canary2"}}]}, {"$sensitive": {"note": "canary2"}}]}`},
	{name: "marked in the configuration", before: `{"name": "canary1"}`, after: `{"name": "canary2"}`, more: `"config": {"name": {"$sensitive": "canary2"}}`},
	{name: "marked as a whole", before: `{"name": "canary1"}`, after: `{"$sensitive": {"name": "canary2"}}`},

	{name: "long values", before: `{"name": "` + strings.Repeat("abcdefghij", 20) + `", "id": "` + strings.Repeat("x", 200) + `", "list": ["short"]}`,
		after: `{"name": "` + strings.Repeat("abcdefghij", 19) + `ABC", "id": {"$unknown": true}, "list": ["` + strings.Repeat("long ", 50) + `"]}`},
	{name: "wide characters", before: `{"name": "` + strings.Repeat("日本", 60) + `"}`, after: `{"name": "短"}`},
	{name: "control characters", before: `{"name": "a\u001b[31mred", "tags": {"\u001b[2J": "a"}}`, after: `{"name": "b\nc\u001b[0m\nd\u202e", "tags": {}}`},
	{name: "text", before: `{"name": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"}`, after: `{"name": "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"}`},
	{name: "text comes", before: `{"name": null}`, after: `{"name": "first\n\n  second\n"}`},
	{name: "text goes", before: `{"name": "first\nsecond"}`, after: `{}`},
	{name: "text ends otherwise", before: `{"name": "first\nsecond\n"}`, after: `{"name": "first\nsecond"}`},
	{name: "text becomes unknown", before: `{"name": "first\nsecond\n"}`, after: `{"name": {"$unknown": true}}`},
	{name: "bytes", before: `{"name": {"$bytes": "YWL/"}, "list": [{"$bytes": "/w=="}]}`, after: `{"name": {"$bytes": "YWL+"}, "list": [{"$bytes": "ww=="}]}`},
	{name: "text with bytes", before: `{"name": {"$bytes": "b25lCnR3b/8KdGhyZWUK"}}`, after: `{"name": {"$bytes": "b25lCnR3b/4KdGhyZWUK"}}`},
	{name: "long text", before: `{}`, after: `{"name": "` + strings.Repeat(`line\n`, 100) + `"}`},
}

// shown returns how all changes look.
func shown(t *testing.T, term *terminal.Terminal) []byte {
	t.Helper()
	schema, err := os.ReadFile("testdata/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, c := range changes {
		text := fmt.Sprintf(`{"name": %q, "schema": %s, "prior": %s, "initial_planned": %s`, c.name, schema, c.before, c.after)
		if c.more != "" {
			text += ", " + c.more
		}
		var r document.Reader
		for d, err := range r.Read("run.json", strings.NewReader(text+"}")) {
			if err != nil {
				t.Fatal(err)
			}
			if err := document.WriteDiff(&out, term, d); err != nil {
				t.Error(err)
			}
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// golden compares with the golden file of that name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	name = "testdata/" + name
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("not as in %s; -update writes it anew. Got:\n%s", name, got)
	}
	if bytes.Contains(got, []byte("canary")) {
		t.Error("shows what is sensitive")
	}
}

func TestChange(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "")
	golden(t, "changes.golden", shown(t, terminal.New(nil, &bytes.Buffer{}, nil)))
}

func TestColour(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	golden(t, "colour.golden", shown(t, terminal.New(nil, &bytes.Buffer{}, nil)))
}

func TestWidth(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer tty.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 60}); err != nil {
		t.Fatal(err)
	}
	got := shown(t, terminal.New(nil, tty, nil))
	golden(t, "narrow.golden", got)
	for line := range strings.Lines(string(got)) {
		if width := ansi.StringWidth(line); width > 60 && !strings.Contains(line, "# forces") {
			t.Errorf("%d columns: %s", width, line)
		}
	}
}
