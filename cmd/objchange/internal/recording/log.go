package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unique"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
)

// maxLine is how long a line may be to be looked at. Those that tell of data
// files are far shorter; what a provider logs of its own is not always.
const maxLine = 1 << 20

// maxLog is how large a log may be. It is read as a stream.
const maxLog = 16 << 30

// A logLine is what matters here of a line of the log.
type logLine struct {
	Message       string `json:"@message"`
	DataFile      string `json:"tf_proto_data_file"`
	Errors        *int   `json:"diagnostic_error_count"`
	Summary       string `json:"diagnostic_summary"`
	Deferred      string `json:"tf_deferred_reason"`
	Provider      string `json:"tf_provider_addr"`
	RequestID     string `json:"tf_req_id"`
	RPC           string `json:"tf_rpc"`
	ResourceType  string `json:"tf_resource_type"`
	DataType      string `json:"tf_data_source_type"`
	EphemeralType string `json:"tf_ephemeral_resource_type"`
}

// wroteMessage is how the log tells that a data file was written. Other
// messages name the file as well: one is about to be, or could not be written.
const wroteMessage = "Wrote protocol data file"

// errorMessage is how the log tells of one error in a response.
const errorMessage = "Response contains error diagnostic"

// aboutRequest begins the keys that all lines about requests have.
var aboutRequest = []byte(`"tf_`)

// telling is what a line about a request has in it that is worth decoding: of a
// full trace log that is a small part.
var telling = [][]byte{
	[]byte(wroteMessage),
	[]byte("Received request"),
	[]byte("diagnostic_error_count"),
	[]byte(errorMessage),
	[]byte("tf_deferred_reason"),
}

// A logReader reads a log as a stream and keeps what it tells of requests.
type logReader struct {
	requests []*request // in order of the first line that tells of them
	byID     map[string]*request
	writes   map[dataFile]int // how often a file was written, all but the last time in vain
	named    bool             // the log names data files

	notJSON, firstNotJSON int  // lines that are no JSON, and the first of them
	plainText             bool // it is a log in plain text that tells of data files
}

func newLogReader() *logReader {
	return &logReader{byID: map[string]*request{}, writes: map[dataFile]int{}}
}

// readAll reads the log. Its error begins with the number of the line.
func (r *logReader) readAll(log io.Reader) error {
	lines := bufio.NewReaderSize(document.PlainText(files.Limit(log, maxLog)), maxLine)
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		for err == bufio.ErrBufferFull {
			line = nil
			_, err = lines.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%d: %w", number, err)
		}
		if bad := r.read(number, bytes.TrimSpace(line)); bad != nil {
			return fmt.Errorf("%d: %w", number, bad)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// read takes one line of the log, with its number. Something may stand before
// the JSON, such as the time that another tool adds.
func (r *logReader) read(number int, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	start := bytes.IndexByte(text, '{')
	if start < 0 || text[len(text)-1] != '}' {
		r.noJSON(number, text)
		return nil
	}
	if !tells(text) {
		return nil
	}
	var line logLine
	if err := json.Unmarshal(text[start:], &line); err != nil {
		r.noJSON(number, text)
		return nil
	}
	return r.take(number, line)
}

func tells(text []byte) bool {
	if !bytes.Contains(text, aboutRequest) {
		return false
	}
	for _, what := range telling {
		if bytes.Contains(text, what) {
			return true
		}
	}
	return false
}

// ownDoing is what tests log since recording them sets TF_LOG=JSON.
var ownDoing = []byte(`[WARN] Invalid log level: "JSON"`)

func (r *logReader) noJSON(number int, text []byte) {
	if bytes.Contains(text, ownDoing) {
		return
	}
	if r.notJSON == 0 {
		r.firstNotJSON = number
	}
	r.notJSON++
	r.plainText = r.plainText || bytes.Contains(text, []byte("tf_proto_data_file="))
}

func (r *logReader) take(number int, line logLine) error {
	wrote := line.Message == wroteMessage
	if line.RequestID == "" || line.RPC == "" {
		if wrote {
			return errors.New("a data file without tf_req_id and tf_rpc")
		}
		return nil // not about a request
	}
	req := r.request(number, line)
	if line.Errors != nil {
		req.answered = true
		req.errors = max(req.errors, *line.Errors)
	}
	if line.Message == errorMessage && req.refused == "" {
		req.refused = refused(line.Summary)
	}
	if line.Deferred != "" {
		req.deferred = true
	}
	if !wrote {
		return nil
	}
	return r.addFile(req, line.DataFile)
}

// request returns the request that the line is about.
func (r *logReader) request(number int, line logLine) *request {
	req, ok := r.byID[line.RequestID]
	if !ok {
		req = &request{line: number, rpc: intern(line.RPC), provider: intern(line.Provider)}
		for _, name := range []string{line.ResourceType, line.DataType, line.EphemeralType} {
			if name != "" {
				req.typeName = intern(name)
			}
		}
		r.byID[line.RequestID] = req
		r.requests = append(r.requests, req)
	}
	return req
}

// intern returns the string, which a log repeats in each line, once for all.
func intern(s string) string { return unique.Make(s).Value() }

// addFile notes that the request wrote the file, if it matters.
func (r *logReader) addFile(req *request, path string) error {
	r.named = true
	file, err := parseDataFile(path, req.rpc)
	if err != nil || file.field == "" {
		return err
	}
	req.files = append(req.files, file)
	r.writes[file]++
	return nil
}
