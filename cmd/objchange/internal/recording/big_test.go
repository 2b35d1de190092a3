package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/configschema"
)

const recordings = "../../../../testdata/recordings/time"

// A bigLog is a log of many lines: those of all recorded runs, over and over,
// each time as requests and data files of their own, and between them lines
// that are not about requests.
type bigLog struct {
	lines         []string
	copies, noise int // noise is the number of other lines after each
}

// span is how far the times of two copies are apart.
const span = 1e9

var (
	requestID = regexp.MustCompile(`("tf_req_id": ")`)
	fileTime  = regexp.MustCompile(`data/(\d+)_`)
)

func newBigLog(t testing.TB, copies, noise int) bigLog {
	logs, err := filepath.Glob(recordings + "/*/log.jsonl")
	if err != nil || len(logs) == 0 {
		t.Fatal("no recordings", err)
	}
	log := bigLog{copies: copies, noise: noise}
	for _, name := range logs {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(content)) {
			line = requestID.ReplaceAllString(line, "${1}COPY-")
			log.lines = append(log.lines, fileTime.ReplaceAllString(line, "data/TIME$1}_"))
		}
	}
	return log
}

// writeTo writes the log, and calls after each copy.
func (l bigLog) writeTo(w io.Writer, after func()) {
	const noise = `{"@level":"trace","@message":"vertex \"module.network.aws_subnet.private[%d]\": visit complete","@module":"terraform.dag","@timestamp":"2026-11-21T06:55:46.510953Z","more":"%s"}` + "\n"
	more := strings.Repeat("and so on ", 20)
	for c := range l.copies {
		for i, line := range l.lines {
			before, rest, _ := strings.Cut(line, "COPY")
			head, tail, ok := strings.Cut(before, "data/TIME")
			if moment, end, _ := strings.Cut(tail, "}"); ok {
				millis, _ := strconv.ParseInt(moment, 10, 64)
				before = fmt.Sprintf("%sdata/%d%s", head, millis+int64(c)*span, end)
			}
			fmt.Fprintf(w, "%s%d%s", before, c, rest)
			for n := range l.noise {
				fmt.Fprintf(w, noise, i+n, more)
			}
		}
		after()
	}
}

// open returns the log as a stream.
func (l bigLog) open(after func()) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		buffered := bufio.NewWriter(w)
		l.writeTo(buffered, after)
		buffered.Flush()
		w.Close()
	}()
	return r
}

// bigData has the data files of all copies.
type bigData struct{ runs []fs.FS }

func newBigData() (data bigData) {
	dirs, _ := filepath.Glob(recordings + "/*/data")
	for _, dir := range dirs {
		data.runs = append(data.runs, os.DirFS(dir))
	}
	return data
}

func (d bigData) Open(name string) (fs.File, error) {
	moment, rest, _ := strings.Cut(name, "_")
	millis, _ := strconv.ParseInt(moment, 10, 64)
	for millis > 1795244000000+span {
		millis -= span
	}
	for _, run := range d.runs {
		if f, err := run.Open(fmt.Sprintf("%d_%s", millis, rest)); err == nil {
			return f, nil
		}
	}
	return nil, fs.ErrNotExist
}

func timeSchemas(t testing.TB) *configschema.ProviderSchemas {
	content, err := os.ReadFile(recordings + "/schemas.json")
	if err != nil {
		t.Fatal(err)
	}
	return mustParse(string(content))
}

// Memory does not grow with the log but with the requests in it, and with those
// only little.
func TestBigLogInLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for _, test := range []struct {
		name          string
		copies, noise int
		schemas       *configschema.ProviderSchemas
		limit         uint64 // in MB, of what is alive
	}{
		{"a trace log of 200 000 lines", 10, 36, timeSchemas(t), 5},
		{"nothing but requests", 100, 0, &configschema.ProviderSchemas{}, 15},
	} {
		t.Run(test.name, func(t *testing.T) {
			log := newBigLog(t, test.copies, test.noise)
			var peak uint64
			copies, before := 0, alive()
			found, err := Replay([]Recording{{Name: "big", Log: "log", Data: newBigData(), Schemas: test.schemas}},
				func(string) (io.ReadCloser, error) {
					return log.open(func() {
						if copies++; copies%(test.copies/5) == 0 {
							peak = max(peak, alive())
						}
					}), nil
				})
			peak = max(peak, alive())
			if (err != nil) != (len(test.schemas.Providers) == 0) || len(found.Subjects) != 97*test.copies || found.Wrong(report.Options{Strict: true}) {
				t.Errorf("%d requests, %v", len(found.Subjects), err)
			}
			if grown := (peak - min(peak, before)) >> 20; grown > test.limit {
				t.Errorf("%d MB are alive, more than %d", grown, test.limit)
			}
		})
	}
}

// alive returns how many bytes are in use.
func alive() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

type bigLogKind struct {
	name          string
	copies, noise int
}

// bigLogs are of 200 000 lines, in short of 20 000.
func bigLogs() []bigLogKind {
	if testing.Short() {
		return []bigLogKind{{"trace", 1, 36}, {"requests", 36, 0}}
	}
	return []bigLogKind{{"trace", 10, 36}, {"requests", 361, 0}}
}

// Reading a log is to cost little more than reading its bytes, and less than
// decoding its lines.
func BenchmarkReadLog(b *testing.B) {
	for _, kind := range bigLogs() {
		var text bytes.Buffer
		newBigLog(b, kind.copies, kind.noise).writeTo(&text, func() {})
		each := func(do func([]byte)) func(io.Reader) error {
			return func(r io.Reader) error {
				lines := bufio.NewReaderSize(r, maxLine)
				for {
					line, err := lines.ReadSlice('\n')
					if err != nil {
						return nil
					}
					do(line)
				}
			}
		}
		for _, way := range []struct {
			name string
			read func(io.Reader) error
		}{
			{"log", func(r io.Reader) error { return newLogReader().readAll(r) }},
			{"lines only", each(func([]byte) {})},
			{"valid JSON", each(func(line []byte) { json.Valid(line) })},
			{"decoded JSON", each(func(line []byte) { _ = json.Unmarshal(line, new(logLine)) })},
		} {
			b.Run(kind.name+"/"+way.name, func(b *testing.B) {
				b.SetBytes(int64(text.Len()))
				b.ReportAllocs()
				for b.Loop() {
					if err := way.read(bytes.NewReader(text.Bytes())); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkReplay replays a log of 200 000 lines, with all that is judged.
func BenchmarkReplay(b *testing.B) {
	schemas := timeSchemas(b)
	for _, kind := range bigLogs() {
		var text bytes.Buffer
		newBigLog(b, kind.copies, kind.noise).writeTo(&text, func() {})
		b.Run(kind.name, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				_, err := Replay([]Recording{{Name: "big", Log: "log", Data: newBigData(), Schemas: schemas}},
					func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text.Bytes())), nil })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
