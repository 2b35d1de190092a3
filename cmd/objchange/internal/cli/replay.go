package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/recording"
	"github.com/objchange/objchange/cmd/objchange/internal/terminal"
	"github.com/objchange/objchange/cmd/objchange/internal/watch"
	"github.com/objchange/objchange/configschema"
)

// A replayInput is what the command line says of what to replay.
type replayInput struct {
	dir, log, data, schemas string
	legacy                  bool
}

func newReplayCommand(a *app) *cobra.Command {
	var from replayInput
	cmd := &cobra.Command{
		Use:   "replay [flags] {RECORDING | --log FILE [--data DIR]}",
		Short: "Judge recorded runs of Terraform",
		Long: `Replay judges what is recorded of runs of Terraform or OpenTofu, or of acceptance
tests: it computes again what Core proposed, and judges what the providers answered.

Watch records all that passes, which replay then judges as watch did:

  objchange watch --record run -- terraform apply

RECORDING is such a folder, the file in it, or a folder of several of them. In a
redacted one, texts, numbers and keys are others than they were.

Record has the providers themselves record what they are asked and answer, those
inside of acceptance tests too, with the schemas that it is judged by:

  objchange record run terraform apply
  TF_ACC=1 objchange record run go test -count=1 -p=1 -parallel=1 ./...

By hand, which leaves the schemas of a provider inside of acceptance tests to be
found elsewhere:

  mkdir -p run/data
  TF_LOG=JSON TF_LOG_PATH=run/log.jsonl TF_LOG_SDK_PROTO_DATA_DIR=$PWD/run/data \
    terraform apply -parallelism=1
  terraform providers schema -json > run/schemas.json

RECORDING is such a folder, too, or one of several of them, which are then replayed in
order of their names, each with its own schemas or those beside it. The log may
also be anywhere, with whatever else is in it, and so may the data files, whose
names in the log may be those of where they were then. They are read from their one
folder only, wherever links in it lead.

Each request that there are rules for is told in a line: the RPC, the type, the
object, the action and the verdict. The object is the id, an attribute that is not
sensitive, as it was or else as it is to be: a recording has no addresses. #2 is where
there is none: the second request of that RPC for that type. The action is what prior
and planned state tell, so a replacement shows as what Core asks for: a delete and a
create. A request is skipped if its data is not all there: what record has providers
write in one millisecond goes to the same file, which -parallelism=1 avoids. Skipped
requests, and those that the provider refused, do not count; that all are skipped is an
error. Why one was refused is told of package tfcheck only, which names the rule: what
a provider says may hold secrets.

What record makes does not tell that a provider uses the legacy SDK, whose violations
of some rules Core only logs. Here they count, unless --legacy-type-system says that
all of the recorded providers use it: then they are told as excused.`,
		Example: `  objchange replay testdata/recordings/time
  objchange replay --log testdata/recordings/time/3-update/log.jsonl
  objchange replay --log - --data testdata/recordings/time/3-update/data < testdata/recordings/time/3-update/log.jsonl`,
		Args: wantArgs(cobra.MaximumNArgs(1), "one RECORDING at most"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				from.dir = args[0]
			}
			return a.replay(from)
		},
	}
	cmd.Flags().StringVar(&from.log, "log", "", "the `FILE` that TF_LOG_PATH named, or - for stdin")
	cmd.Flags().StringVar(&from.data, "data", "", "the `DIR` that TF_LOG_SDK_PROTO_DATA_DIR named (default: data beside the log)")
	cmd.Flags().StringVar(&from.schemas, "schemas", "",
		"the `FILE` that \"terraform providers schema -json\" printed (default: schemas.json in RECORDING or beside the log, or up to two levels up)")
	cmd.Flags().BoolVar(&from.legacy, "legacy-type-system", false,
		"all of the recorded providers use the legacy SDK: do not count what Core only logs of those")
	_ = cmd.MarkFlagFilename("log") // which fails for a flag that is not there
	_ = cmd.MarkFlagDirname("data")
	_ = cmd.MarkFlagFilename("schemas", "json")
	a.findingFlags(cmd)
	return cmd
}

func (a *app) replay(from replayInput) error {
	if err := from.check(); err != nil {
		return err
	}
	logs, passed, err := from.find()
	if err != nil {
		return err
	}
	if err := a.readSchemasOf(logs, from.schemas); err != nil {
		return err
	}
	progress := a.term.Progress(totalSize(logs, passed), "reading")
	open := func(name string) (io.ReadCloser, error) {
		file, err := a.open(name)
		return counted{file, progress}, err
	}
	all, logsErr := recording.Replay(logs, open)
	more, passedErr := watch.Replay(passed, open)
	progress.Done()
	all.Subjects, all.Notes = append(all.Subjects, more.Subjects...), append(all.Notes, more.Notes...)
	return a.finish(all, errors.Join(logsErr, passedErr))
}

// check fails for a command line that does not say what to replay.
func (from replayInput) check() error {
	switch {
	case from.dir == "" && from.log == "":
		return misused("want a folder, or --log and, unless it is beside the log, --data")
	case from.dir == "-":
		return misused("want a folder or the file in it; a log from stdin is --log -, with --data")
	case from.dir != "" && (from.log != "" || from.data != ""):
		return misused("want either a folder, or --log with --data")
	case from.log == "-" && from.data == "":
		return misused("a log from stdin wants --data")
	case from.log == "-" && from.schemas == "-":
		return misused("stdin is either the log or the schemas")
	}
	return nil
}

// find returns the recordings of either kind: logs, and all that has passed.
func (from replayInput) find() ([]recording.Recording, []exchanges.Recording, error) {
	if from.dir == "" {
		data := from.data
		if data == "" {
			data = filepath.Join(filepath.Dir(from.log), "data")
		}
		rec, err := recording.FromLog(from.log, data)
		rec.Legacy = from.legacy
		return []recording.Recording{rec}, nil, err
	}
	passed, err := exchanges.Find(from.dir)
	if err != nil {
		return nil, nil, err
	}
	var logs []recording.Recording
	if info, err := os.Stat(from.dir); err == nil && info.IsDir() {
		if logs, err = recording.Find(from.dir); err != nil {
			return nil, nil, err
		}
	}
	for i := range logs {
		logs[i].Legacy = from.legacy
	}
	switch {
	case len(logs)+len(passed) == 0:
		return nil, nil, fmt.Errorf("%s: no recording: there is no %s or %s in it or in a folder in it", from.dir, recording.LogName, exchanges.Name)
	case len(logs) == 0 && (from.schemas != "" || from.legacy):
		return nil, nil, misused("--schemas and --legacy-type-system are for recordings that do not tell; %s does", passed[0].File)
	}
	return logs, passed, nil
}

// readSchemasOf reads the schemas of the recordings, each file once.
func (a *app) readSchemasOf(recordings []recording.Recording, named string) (err error) {
	read := map[string]*configschema.ProviderSchemas{}
	for i := range recordings {
		rec, name := &recordings[i], named
		if name == "" {
			if name, err = rec.FindSchemas(); err != nil {
				return err
			}
		}
		if read[name] == nil {
			if read[name], err = a.readSchemas(name); err != nil {
				return err
			}
		}
		rec.Schemas = read[name]
	}
	return nil
}

// totalSize returns how large the files are, or 0 if that is not known.
func totalSize(logs []recording.Recording, passed []exchanges.Recording) (size int64) {
	var names []string
	for _, rec := range logs {
		names = append(names, rec.Log)
	}
	for _, rec := range passed {
		names = append(names, rec.File)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		size += info.Size()
	}
	return size
}

// A counted reader tells a progress how much is read.
type counted struct {
	io.ReadCloser
	progress *terminal.Progress
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.progress.Add(int64(n))
	return n, err
}

// Stat tells how large a file is, if it is one.
func (c counted) Stat() (fs.FileInfo, error) {
	if file, ok := c.ReadCloser.(fs.File); ok {
		return file.Stat()
	}
	return nil, errors.ErrUnsupported
}
