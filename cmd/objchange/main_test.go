package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		args   string
		status int
		stdout string // how it begins
		stderr string
	}{
		{"-h", exitOK, "Usage: objchange COMMAND", ""},
		{"--help", exitOK, "Usage: objchange COMMAND", ""},
		{"help", exitOK, "Usage: objchange COMMAND", ""},
		{"replay -h", exitOK, "Usage: objchange replay", ""},
		{"", exitUnreadable, "", "objchange: no command\n\nUsage: objchange COMMAND"},
		{"reply", exitUnreadable, "", "objchange: unknown command \"reply\"\n\nUsage: objchange COMMAND"},
		{"replay", exitUnreadable, "", "objchange: want one folder after the flags, got 0\n\nUsage: objchange replay"},
		{"replay a b", exitUnreadable, "", "objchange: want one folder after the flags, got 2\n\nUsage: objchange replay"},
		{"replay -x a", exitUnreadable, "", "objchange: flag provided but not defined: -x\n\nUsage: objchange replay"},
	} {
		t.Run(test.args, func(t *testing.T) {
			var stdout, stderr strings.Builder
			status := run(strings.Fields(test.args), &stdout, &stderr)
			if status != test.status {
				t.Errorf("exit status %d, want %d", status, test.status)
			}
			if !begins(stdout.String(), test.stdout) || !begins(stderr.String(), test.stderr) {
				t.Errorf("stdout\n%s\nstderr\n%s", stdout.String(), stderr.String())
			}
		})
	}
}

// begins reports whether the text begins so; nothing begins only nothing.
func begins(text, want string) bool {
	return strings.HasPrefix(text, want) && (want != "" || text == "")
}

// What cannot be read ends the replay with exit status 2, and with a message
// that names the file, the line and the reason.
func TestUnreadable(t *testing.T) {
	readOne := func(r *recorder) { r.read(sized(1, cty.StringVal("a"))) }
	const state = "data/1_ReadResource_Response_NewState.msgpack"

	for name, test := range map[string]struct {
		make func(*recorder)
		want string // of what is wrong
	}{
		"empty log": {
			func(r *recorder) {},
			"DIR/log.jsonl: no recording: the log names no data files",
		},
		"not JSON": {
			func(r *recorder) { readOne(r); r.log.WriteString("2026-11-21 [TRACE] provider\n") },
			"DIR/log.jsonl:2: not a line of a JSON log: ",
		},
		"truncated log": {
			func(r *recorder) { readOne(r); r.log.WriteString(`{"@message": "Wrote`) },
			"DIR/log.jsonl:2: not a line of a JSON log: unexpected end of JSON input",
		},
		"no request ID": {
			func(r *recorder) {
				r.log.WriteString(`{"@message": "Wrote protocol data file", "tf_rpc": "ReadResource"}`)
			},
			"DIR/log.jsonl:1: a data file without tf_req_id and tf_rpc",
		},
		"file of another RPC": {
			func(r *recorder) {
				r.logLine("ReadResource", `"@message": "Wrote protocol data file", "tf_proto_data_file": "data/1_Read_Response_NewState.msgpack"`)
			},
			`DIR/log.jsonl:1: data file "1_Read_Response_NewState.msgpack" is not named after a field of ReadResource`,
		},
		"truncated value": {
			func(r *recorder) { readOne(r); writeFile(r.t, filepath.Join(r.dir, state), "\x84\xa2id") },
			"DIR/log.jsonl:1: " + state + ": ",
		},
		"value of another type": {
			func(r *recorder) { readOne(r); writeFile(r.t, filepath.Join(r.dir, state), "\x90") },
			"DIR/log.jsonl:1: " + state + ": an object is required",
		},
		"malformed schemas": {
			func(r *recorder) { readOne(r); writeFile(r.t, filepath.Join(r.dir, schemasName), "{") },
			"DIR/schemas.json: ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecorder(t)
			test.make(r)
			status, _, stderr := r.replay()
			if status != exitUnreadable || !strings.HasPrefix(stderr, "objchange: "+test.want) {
				t.Errorf("exit status %d; %s", status, stderr)
			}
		})
	}
}

// What was judged before is told even so.
func TestUnreadableLater(t *testing.T) {
	r := newRecorder(t)
	parent := r.dir
	for _, run := range []string{"1-good", "2-bad"} {
		r.dir = filepath.Join(parent, run)
		r.read(sized(1, cty.StringVal("a")))
		r.replay()
	}
	writeFile(t, filepath.Join(parent, "2-bad", logName), "bad")

	status, stdout, stderr := runIn(parent)
	const report = "1-good\n  ReadResource  test_thing  -  ok\n\n"
	if status != exitUnreadable || stdout != report || !strings.Contains(stderr, "DIR/2-bad/log.jsonl:1: ") {
		t.Errorf("exit status %d, stdout\n%s\nstderr\n%s", status, stdout, stderr)
	}
}

func TestNoRecording(t *testing.T) {
	for _, test := range []struct{ dir, want string }{
		{t.TempDir(), "objchange: DIR: no recording: there is no log.jsonl in it or in a folder in it\n"},
		{filepath.Join(t.TempDir(), "absent"), "objchange: open DIR: no such file or directory\n"},
	} {
		status, stdout, stderr := runIn(test.dir)
		if status != exitUnreadable || stdout != "" || stderr != test.want {
			t.Errorf("exit status %d; %s", status, stderr)
		}
	}
}

// The schemas are those of the flag, or else those in the folder, or else
// those in its parent.
func TestSchemas(t *testing.T) {
	r := newRecorder(t)
	r.dir = filepath.Join(r.dir, "run")
	r.read(sized(1, cty.StringVal("a")))

	if status, _, stderr := r.replay(); status != exitOK {
		t.Errorf("with schemas in the parent: exit status %d; %s", status, stderr)
	}
	other := filepath.Join(t.TempDir(), "other.json")
	if status, _, stderr := runIn(r.dir, "-schemas", other); status != exitUnreadable {
		t.Errorf("with a file that is missing: exit status %d; %s", status, stderr)
	}
	writeFile(t, other, schemasJSON)
	if status, _, stderr := runIn(r.dir, "-schemas", other); status != exitOK {
		t.Errorf("with a file: exit status %d; %s", status, stderr)
	}
}
