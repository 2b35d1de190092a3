package recording

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// Replay judges each request that the recordings tell of, whose logs it opens by
// name. It computes again what Core proposed, and judges what the provider
// answered. Requests that cannot be judged, for two of them wrote to one data
// file, say, are skipped.
//
// The report is there in any case, with what could be judged. The error tells of
// logs and values that cannot be read, each with log and line, and why if there
// were requests to judge and none could be.
func Replay(recordings []Recording, open func(name string) (io.ReadCloser, error)) (*report.Report, error) {
	return Tell(recordings, open, func(report.Subject, []tfcheck.Exchange) {})
}

// Tell does as Replay does, and tells of each request, with the exchanges in it that can
// be decoded.
func Tell(recordings []Recording, open func(name string) (io.ReadCloser, error), seen func(report.Subject, []tfcheck.Exchange)) (*report.Report, error) {
	r := &replay{
		report:    &report.Report{Command: "replay"},
		notJudged: map[string]int{},
		seen:      seen,
	}
	var errs []error
	for _, rec := range recordings {
		if err := r.recording(rec, open); err != nil {
			errs = append(errs, err)
		}
	}
	r.noteNotJudged()
	if len(errs) == 0 && !r.judged {
		errs = r.inVain
	}
	return r.report, errors.Join(errs...)
}

// A replay is a report in the making.
type replay struct {
	report    *report.Report
	seen      func(report.Subject, []tfcheck.Exchange)
	notJudged map[string]int // by RPC
	judged    bool           // there was a request that could be
	echoed    int            // requests of the echo provider
	inVain    []error        // of each recording that has requests to judge, all skipped
}

// echo is the resource type of the provider that terraform-plugin-testing itself
// brings, to look at ephemeral values.
const echo = "echo"

func (r *replay) recording(rec Recording, open func(string) (io.ReadCloser, error)) error {
	log, err := readLog(rec.Log, open)
	if err != nil {
		return err
	}
	r.noteNotJSON(rec.Log, log)
	j := &judge{rec: rec, log: log, catalog: newCatalog(rec.Schemas), requests: map[kind]int{}}
	before := len(r.report.Subjects)
	for _, req := range log.requests {
		how, ok := judgements[req.rpc]
		if !ok {
			r.notJudged[req.rpc]++
			continue
		}
		if req.typeName == echo && j.catalog.find(req).wrong == noSchema {
			r.echoed++
			continue
		}
		subject, exchanges := j.judge(req, how)
		r.report.Subjects = append(r.report.Subjects, subject)
		r.seen(subject, exchanges)
	}
	r.noteInVain(j, r.report.Subjects[before:])
	return j.unreadable()
}

// noteInVain keeps why the requests of a recording are all skipped, if they are.
func (r *replay) noteInVain(j *judge, subjects []report.Subject) {
	for _, s := range subjects {
		if s.Status != report.Skipped {
			r.judged = true
			return
		}
	}
	if len(subjects) == 0 {
		return
	}
	why := "the first, in line " + strconv.Itoa(subjects[0].Place.Line) + ": " + subjects[0].Reason
	if j.found == 0 && j.missing > 0 {
		why = "none of the data files that the log names is in " + j.rec.Dir
	}
	r.inVain = append(r.inVain, fmt.Errorf("%s: no request could be judged, of %d: %s", j.rec.Log, len(subjects), why))
}

// readLog reads the log to its end, since any line may tell that a data file was
// written again.
func readLog(name string, open func(string) (io.ReadCloser, error)) (*logReader, error) {
	file, err := open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()

	log := newLogReader()
	if err := log.readAll(file); err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	switch {
	case log.named:
		log.byID = nil // as large as the log
		return log, nil
	case log.plainText:
		return nil, fmt.Errorf("%s:%d: no recording: the log is plain text; set TF_LOG=JSON for one in JSON "+
			"(TF_ACC_LOG_PATH makes plain text of it, whatever TF_LOG says: use TF_LOG_PATH)", name, log.firstNotJSON)
	}
	return nil, fmt.Errorf("%s: no recording: the log names no data files; "+
		"set TF_LOG_SDK_PROTO_DATA_DIR to a folder that exists, TF_LOG=JSON and no TF_LOG_SDK, or record with \"objchange record\"", name)
}

func (r *replay) note(format string, args ...any) {
	r.report.Notes = append(r.report.Notes, fmt.Sprintf(format, args...))
}

func (r *replay) noteNotJSON(name string, log *logReader) {
	switch {
	case log.notJSON == 1:
		r.note("%s:%d: not JSON, passed over", name, log.firstNotJSON)
	case log.notJSON > 1:
		r.note("%s:%d: not JSON, passed over, like %s after it", name, log.firstNotJSON,
			words.Plural(log.notJSON-1, "line"))
	}
}

func (r *replay) noteNotJudged() {
	if r.echoed > 0 {
		r.note("%s of terraform-plugin-testing's echo provider, passed over", words.Plural(r.echoed, "request"))
	}
	total, rpcs := 0, []string(nil)
	for _, rpc := range slices.Sorted(maps.Keys(r.notJudged)) {
		total += r.notJudged[rpc]
		rpcs = append(rpcs, fmt.Sprintf("%s %d", rpc, r.notJudged[rpc]))
	}
	if total > 0 {
		r.note("%s that no rule speaks of: %s", words.Plural(total, "request"), strings.Join(rpcs, ", "))
	}
}
