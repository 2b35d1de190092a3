package recording

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
	"github.com/zclconf/go-cty/cty"
)

const wroteFile = `"@message": "Wrote protocol data file", "tf_proto_data_file": `

// A full trace log has other lines too, of Terraform and of providers, some of
// them no JSON, and names each file before it is written as well. Of what logs only
// since it is recorded nothing is noted.
func TestFullLog(t *testing.T) {
	r := newRecorder(t)
	r.log.WriteString(`{"@level": "info", "@message": "Terraform version: 1.14.0"}` + "\n\n")
	r.log.WriteString("panic: in some other process\n")
	r.log.WriteString(`2026/11/21 06:55:46 [WARN] Invalid log level: "JSON". Defaulting to level: TRACE. Valid levels are: [TRACE DEBUG]` + "\n")
	r.log.WriteString(`{"@message": "torn` + "\n")
	r.log.WriteString(`{"@message": "Wrote protocol data file", "tf_rpc": 5}` + "\r\n")
	r.requests = 1
	r.logLine("ReadResource", `"@message": "Received request"`)
	r.logLine("ReadResource", `"@message": "Writing protocol data file", `+
		`"tf_proto_data_file": "data/1_ReadResource_Response_NewState.msgpack"`)
	r.clock = 1
	r.file("ReadResource", field{"Response_NewState", sized(1, a)})
	r.logLine("ReadResource", `"@message": "`+strings.Repeat("a provider's own words ", maxLine/20)+`"`)
	r.log.WriteString("2026-11-21T06:55:46Z ")
	r.requests++
	r.clock++
	r.file("ReadResource", field{"Response_NewState", sized(1, unknownID)})

	expect(t, r, `
ReadResource test_thing -: judged
ReadResource test_thing -: judged
  state-unknown .id: ...
note: run/log.jsonl:3: not JSON, passed over, like 2 lines after it
`)
}

// Terraform logs a provider's line with keys of its own, in its own order, and
// so does OpenTofu. The data files may have been anywhere.
func TestLinesOfAnyLogger(t *testing.T) {
	for _, line := range []string{
		`{"@level":"trace","@message":"Wrote protocol data file","@module":"provider.terraform-provider-test_v1.0.0_x5","tf_proto_data_file":"FILE","tf_req_id":"1","tf_resource_type":"test_thing","tf_rpc":"ReadResource","@caller":"logging/protocol_data.go:1","timestamp":"2026-11-21T06:55:46.510Z"}`,
		`{"tf_rpc":"ReadResource","tf_resource_type":"test_thing","tf_req_id":"1","tf_provider_addr":"registry.opentofu.org/test/test","tf_proto_data_file":"FILE","@message":"Wrote protocol data file"}`,
		`  {"@message": "Wrote protocol data file", "tf_req_id": "1", "tf_rpc": "ReadResource", "tf_resource_type": "test_thing", "tf_proto_data_file": "FILE", "new": {"key": [1]}}  `,
	} {
		for _, dir := range []string{"", "data/", "/home/me/run/data/", "../", `C:\\runs\\data\\`} {
			const name = "7_ReadResource_Response_NewState.json"
			r := newRecorder(t)
			r.data[name] = &fstest.MapFile{Data: []byte(`{"id": "a", "size": 1, "rule": []}`)}
			r.log.WriteString(strings.Replace(line, "FILE", dir+name, 1))

			expect(t, r, `
ReadResource test_thing -: judged
`)
		}
	}
}

// PowerShell writes byte order marks.
func TestByteOrderMark(t *testing.T) {
	r := newRecorder(t)
	r.log.WriteString("\xef\xbb\xbf")
	r.read(sized(1, a))
	expect(t, r, `
ReadResource test_thing -: judged
`)
}

// What cannot be read is an error that names log, line and reason.
func TestUnreadable(t *testing.T) {
	readOne := func(r *recorder) { r.read(sized(1, a)) }
	const state = "1_ReadResource_Response_NewState.msgpack"

	for name, test := range map[string]struct {
		make func(*recorder)
		want string
	}{
		"empty log": {
			func(*recorder) {},
			"run/log.jsonl: no recording: the log names no data files; set TF_LOG_SDK_PROTO_DATA_DIR to a folder that exists, TF_LOG=JSON and no TF_LOG_SDK, or record with \"objchange record\"",
		},
		"UTF-16": {
			func(r *recorder) { r.log.WriteString("\xff\xfe{\x00") },
			"run/log.jsonl:1: the text is UTF-16, as PowerShell's > writes it: ...",
		},
		"plain text": {
			func(r *recorder) {
				r.log.WriteString("\n2026-11-21 [TRACE] provider: Wrote protocol data file: tf_proto_data_file=data/1_a_b\n")
			},
			"run/log.jsonl:2: no recording: the log is plain text; set TF_LOG=JSON for one in JSON (TF_ACC_LOG_PATH makes plain text of it, whatever TF_LOG says: use TF_LOG_PATH)",
		},
		"no request ID": {
			func(r *recorder) {
				r.log.WriteString(`{"@message": "Wrote protocol data file", "tf_rpc": "ReadResource"}`)
			},
			"run/log.jsonl:1: a data file without tf_req_id and tf_rpc",
		},
		"file of another RPC": {
			func(r *recorder) { r.logLine("ReadResource", wroteFile+`"data/1_Read_Response_NewState.msgpack"`) },
			`run/log.jsonl:1: data file "1_Read_Response_NewState.msgpack" is not named after a field of "ReadResource"`,
		},
		"file of no time": {
			func(r *recorder) { r.logLine("ReadResource", wroteFile+`"01_ReadResource_Response_NewState.msgpack"`) },
			`run/log.jsonl:1: data file "01_ReadResource_Response_NewState.msgpack" is not named {TIME}_{RPC}_{FIELD}.{FORMAT}`,
		},
		"escapes in names": {
			func(r *recorder) { r.logLine(`Read\u001b[31m`, wroteFile+`"\u001b[31m"`) },
			`run/log.jsonl:1: data file "\x1b[31m" is not named after a field of "Read\x1b[31m"`,
		},
		"truncated value": {
			func(r *recorder) { readOne(r); r.data[state].Data = []byte("\x84\xa2id") },
			"run/log.jsonl:1: " + state + ": ...",
		},
		"value cut to nothing": {
			func(r *recorder) { readOne(r); r.data[state].Data = nil },
			"run/log.jsonl:1: " + state + ": the file is empty",
		},
		"several of them": {
			func(r *recorder) {
				for range 3 {
					r.read(sized(1, a))
				}
				for _, file := range r.data {
					file.Data = file.Data[1:]
				}
			},
			"run/log.jsonl:1: " + state + ": ... (and 2 requests after it)",
		},
		"unknown format": {
			func(r *recorder) { r.wrote("ReadResource", "1_ReadResource_Response_NewState.xml", []byte("<thing/>")) },
			`run/log.jsonl:1: 1_ReadResource_Response_NewState.xml: unknown format "xml"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecorder(t)
			test.make(r)
			if _, err := r.replay(); err == nil || !matches(err.Error(), test.want) {
				t.Errorf("%v\nwant %s", err, test.want)
			}
		})
	}
}

// What can be judged is, whatever else cannot be read.
func TestUnreadableBetweenOthers(t *testing.T) {
	r := newRecorder(t)
	r.read(sized(1, a))
	r.read(sized(1, a))
	r.data["2_ReadResource_Response_NewState.msgpack"].Data = []byte("\x84")
	r.read(sized(1, a))

	logs := map[string]io.Reader{
		"1": strings.NewReader(r.log.String()),
		"2": iotest.ErrReader(errors.New("disk on fire")),
		"3": strings.NewReader(r.log.String()),
	}
	var recordings []Recording
	for _, name := range []string{"1", "2", "3", "4"} {
		recordings = append(recordings, Recording{Name: name, Log: name, Data: r.data, Schemas: mustParse(schemasJSON)})
	}
	found, err := Replay(recordings, func(name string) (io.ReadCloser, error) {
		if logs[name] == nil {
			return nil, errors.New(name + ": not there")
		}
		return io.NopCloser(logs[name]), nil
	})

	const wantErr = "1:2: 2_ReadResource_Response_NewState.msgpack: ...\n" +
		"2:1: disk on fire\n" +
		"3:2: 2_ReadResource_Response_NewState.msgpack: ...\n" +
		"4: not there"
	const run = `ReadResource test_thing -: judged
ReadResource test_thing -: skipped: 2_ReadResource_Response_NewState.msgpack: ...
ReadResource test_thing -: judged
`
	if got := text(found); !matches(got, run+run) || err == nil || !matches(err.Error(), wantErr) {
		t.Errorf("error\n%v\nreport\n%s", err, got)
	}
}

// Providers may answer in JSON.
func TestJSONValue(t *testing.T) {
	r := newRecorder(t)
	r.wrote("ReadResource", "1_ReadResource_Response_NewState.json",
		[]byte(`{"id": "a", "size": 1, "secret": null, "users": null, "rule": []}`))

	expect(t, r, `
ReadResource test_thing -: judged
`)
}

func TestUndecodableValue(t *testing.T) {
	for _, test := range []struct {
		format, content string
		ty              cty.Type
	}{
		{"msgpack", "", cty.String},
		{"msgpack", "\x84\xa2id", cty.Map(cty.String)},
		{"json", `{"a": "x"}`, cty.EmptyObject},
		{"json", `[{"type": "bool", "value": true}, {"type": "string", "value": "x"}]`, cty.List(cty.DynamicPseudoType)},
		{"", "private", cty.String},
	} {
		if value, err := decode([]byte(test.content), test.format, test.ty); err == nil {
			t.Errorf("%s %q is read as %#v", test.format, test.content, value)
		}
	}
}

// Schemas may be of other providers, or none.
func TestEmptySchemas(t *testing.T) {
	r := newRecorder(t)
	r.read(sized(1, a))
	rec := Recording{Log: "log", Data: r.data, Schemas: &configschema.ProviderSchemas{}}
	found, err := Replay([]Recording{rec}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(r.log.String())), nil
	})
	const want = "log: no request could be judged, of 1: the first, in line 1: no schema for this type"
	if err == nil || err.Error() != want || found.Wrong(report.Options{Strict: true}) {
		t.Errorf("%v, %v", found, err)
	}
}

// Whatever is in a log and in its data files, nothing panics.
func FuzzReplay(f *testing.F) {
	r := newRecorder(f)
	r.plan(none, sized(1, noID), sized(1, noID), sized(1, unknownID))
	r.read(sized(1, a))
	r.answered("ReadResource", 1)
	f.Add(r.log.String(), []byte("\x80"))
	f.Add(`{"@message": "Wrote protocol data file", "tf_rpc": "a", "tf_req_id": "b"}`+"\n{}\n{", []byte(nil))

	schemas := mustParse(schemasJSON)
	f.Fuzz(func(t *testing.T, log string, state []byte) {
		r.data["5_ReadResource_Response_NewState.msgpack"].Data = state
		_, _ = Replay([]Recording{{Log: "log", Data: r.data, Schemas: schemas}}, func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(log)), nil
		})
	})
}
