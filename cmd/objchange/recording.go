package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	logName  = "log.jsonl"
	dataName = "data"
)

// A recording is one run of Terraform, as its providers logged it: a folder
// with the log and the data files that the log names.
type recording struct {
	dir      string
	requests []*request // in order of their first line in the log
}

// A request is one call of a provider by Core.
type request struct {
	line         int // the first line of the log that tells of it
	rpc          string
	resourceType string // "" for what is no managed resource
	provider     string // its address
	files        map[string][]*dataFile
	errors       *int // how many errors the provider returned, if the log says
}

// A dataFile holds one field of a request or of its response.
type dataFile struct {
	name   string // its name in the data folder
	format string // "msgpack", "json" or "empty"
	line   int    // the first line of the log that names it
	writes int    // how many times it was written, all but the last of them lost
}

// A logLine is what matters here of a line of the log. A full trace log holds
// many more lines and keys; they are ignored.
type logLine struct {
	Message      string `json:"@message"`
	DataFile     string `json:"tf_proto_data_file"`
	Errors       *int   `json:"diagnostic_error_count"`
	Provider     string `json:"tf_provider_addr"`
	RequestID    string `json:"tf_req_id"`
	ResourceType string `json:"tf_resource_type"`
	RPC          string `json:"tf_rpc"`
}

// wroteMessage is how the log tells that a data file was written. Other
// messages name the file as well: one is about to be, or could not be written.
const wroteMessage = "Wrote protocol data file"

// findRecordings returns the folders of the recordings in dir: dir itself, or
// else those of its subfolders that are one, in order of their names.
func findRecordings(dir string) ([]string, error) {
	if isRecording(dir) {
		return []string{dir}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, entry := range entries {
		if sub := filepath.Join(dir, entry.Name()); isRecording(sub) {
			dirs = append(dirs, sub)
		}
	}
	if len(dirs) == 0 {
		return nil, fmt.Errorf("%s: no recording: there is no %s in it or in a folder in it", dir, logName)
	}
	return dirs, nil
}

func isRecording(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, logName))
	return err == nil
}

// readRecording reads the log of the recording in dir; its data files are read
// when they are needed.
func readRecording(dir string) (*recording, error) {
	log, err := os.Open(filepath.Join(dir, logName))
	if err != nil {
		return nil, err
	}
	defer log.Close()

	reader := newLogReader()
	lines := bufio.NewReader(log)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("%s:%d: %w", log.Name(), number, err)
		}
		if bad := reader.read(number, line); bad != nil {
			return nil, fmt.Errorf("%s:%d: %w", log.Name(), number, bad)
		}
		if err == io.EOF {
			break
		}
	}
	if len(reader.files) == 0 {
		return nil, fmt.Errorf("%s: no recording: the log names no data files", log.Name())
	}
	return &recording{dir: dir, requests: reader.requests}, nil
}

// A logReader groups the lines of a log by request.
type logReader struct {
	requests []*request
	byID     map[string]*request
	files    map[string]*dataFile // by name; one that was written twice is in two requests
}

func newLogReader() *logReader {
	return &logReader{byID: map[string]*request{}, files: map[string]*dataFile{}}
}

// read takes one line of the log, with its number.
func (r *logReader) read(number int, text []byte) error {
	if len(strings.TrimSpace(string(text))) == 0 {
		return nil
	}
	var line logLine
	if err := json.Unmarshal(text, &line); err != nil {
		return fmt.Errorf("not a line of a JSON log: %w", err)
	}
	wrote := line.Message == wroteMessage
	if line.RequestID == "" || line.RPC == "" {
		if wrote {
			return errors.New("a data file without tf_req_id and tf_rpc")
		}
		return nil // not about a request
	}
	req := r.request(number, line)
	if line.Errors != nil {
		req.errors = line.Errors
	}
	if !wrote {
		return nil
	}
	return r.addFile(req, number, line.DataFile)
}

// request returns the request that the line is about.
func (r *logReader) request(number int, line logLine) *request {
	req, ok := r.byID[line.RequestID]
	if !ok {
		req = &request{
			line: number, rpc: line.RPC, resourceType: line.ResourceType, provider: line.Provider,
			files: map[string][]*dataFile{},
		}
		r.byID[line.RequestID] = req
		r.requests = append(r.requests, req)
	}
	return req
}

// addFile notes that the request wrote the file. Only the last element of the
// path counts: recordings are moved, and are not to reach outside their folder.
func (r *logReader) addFile(req *request, number int, path string) error {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	field, format, err := splitName(name, req.rpc)
	if err != nil {
		return err
	}
	file, ok := r.files[name]
	if !ok {
		file = &dataFile{name: name, format: format, line: number}
		r.files[name] = file
	}
	file.writes++
	req.files[field] = append(req.files[field], file)
	return nil
}

// splitName splits the name of a data file, {TIME}_{RPC}_{FIELD}.{FORMAT},
// into its field, such as Request_Config, and its format.
func splitName(name, rpc string) (field, format string, err error) {
	stem, format, _ := strings.Cut(name, ".")
	_, rest, _ := strings.Cut(stem, "_")
	field, ok := strings.CutPrefix(rest, rpc+"_")
	if !ok || field == "" {
		return "", "", fmt.Errorf("data file %q is not named after a field of %s", name, rpc)
	}
	return field, format, nil
}

// unusable returns why the content of a data file is not known, or "".
func (rec *recording) unusable(file *dataFile) string {
	if file.format == "empty" {
		return "" // however often it was written, and wherever it is now
	}
	if file.writes > 1 {
		return fmt.Sprintf("%s was written %d times, only the last is left", file.name, file.writes)
	}
	if _, err := os.Stat(rec.path(file)); errors.Is(err, fs.ErrNotExist) {
		return file.name + " is missing"
	}
	return ""
}

func (rec *recording) path(file *dataFile) string {
	return filepath.Join(rec.dir, dataName, file.name)
}
