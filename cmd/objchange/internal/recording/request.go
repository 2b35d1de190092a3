package recording

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/rulebook"
)

// A request is one call of a provider by Core.
type request struct {
	line     int    // the first line of the log that tells of it
	rpc      string // as the provider's protocol names it
	typeName string // of the resource or data source, or ""
	provider string // its address
	files    []dataFile
	answered bool // the log says how many errors the response has:
	errors   int
	refused  string // what tfcheck has refused, if it has
	deferred bool
}

// A dataFile holds one field of a request or of its response. There may be very
// many, so it is no more than its name:
// {TIME}_{RPC}_{FIELD}.{FORMAT}
type dataFile struct {
	millis int64
	rpc    string
	field  string // such as Request_Config
	format string // "msgpack", "json" or "empty"
}

func (f dataFile) name() string {
	return fmt.Sprintf("%d_%s_%s.%s", f.millis, f.rpc, f.field, f.format)
}

// parseDataFile reads the name of a file that a request of the RPC wrote. The
// field is "" for a file that no judgement needs. Only the last element of the
// path counts: recordings are moved, and are not to reach outside their folder.
func parseDataFile(path, rpc string) (dataFile, error) {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	stem, format, _ := strings.Cut(name, ".")
	moment, rest, _ := strings.Cut(stem, "_")
	millis, err := strconv.ParseInt(moment, 10, 64)
	field, ok := strings.CutPrefix(rest, rpc+"_")
	if err != nil || !ok || field == "" {
		return dataFile{}, fmt.Errorf("data file %q is not named after a field of %q", name, rpc)
	}
	if !needs(rpc, field) {
		return dataFile{}, nil
	}
	file := dataFile{millis, rpc, intern(field), intern(format)}
	if file.name() != name {
		return dataFile{}, fmt.Errorf("data file %q is not named {TIME}_{RPC}_{FIELD}.{FORMAT}", name)
	}
	return file, nil
}

// of returns the files of the field; several only for what is imported.
func (req *request) of(field string) (files []dataFile) {
	for _, f := range req.files {
		if f.field == field {
			files = append(files, f)
		}
	}
	return files
}

// whyFailed returns why the provider's response is none that Core would judge,
// or "" if it is one.
func (req *request) whyFailed(response string) string {
	files := req.of(response)
	switch {
	case req.errors > 0 && req.refused != "":
		return req.refused
	case req.errors > 0:
		return "the provider returned an error"
	case len(files) == 0 && req.answered && req.rpc == "ImportResourceState":
		return "the provider imported nothing"
	case len(files) == 0:
		return "the provider did not respond, or with an error"
	case !req.answered && files[0].format == "empty":
		// A null state is written as such. One that is not there at all is
		// what comes with an error, unless the log says that there was none.
		return "the provider returned no state, probably with an error"
	}
	return ""
}

// refused returns what a checking server of tfcheck has refused, if the summary of an
// error is one of those. All other summaries are a provider's words, which may hold
// secrets that nothing in a log tells apart, so they are not told.
func refused(summary string) string {
	for begin, what := range map[string]string{
		"Provider broke its contract: ":       "the response",
		"Request is not one of Terraform's: ": "the request",
	} {
		rule, is := strings.CutPrefix(summary, begin)
		if _, known := rulebook.Find(objchange.Rule(rule)); is && known {
			return fmt.Sprintf("tfcheck refused %s: %s", what, rule)
		}
	}
	return ""
}
