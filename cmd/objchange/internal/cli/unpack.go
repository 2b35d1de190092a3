package cli

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/objchange/objchange/cmd/objchange/internal/api"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/exchanges"
	"github.com/objchange/objchange/cmd/objchange/internal/recording"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/unpack"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// An unpacking is what the command line says of what to unpack, and how it goes.
type unpacking struct {
	from                  replayInput
	rpc, typeName, object string
	number                int
	asJSON                bool

	packer           document.Packer
	file             string
	print            func(unpack.Exchange) error
	failed           error // to print
	wrong            report.Failures
	passed           int // requests that rules speak of
	matched, printed int
	first            unpack.Exchange // without a document
}

func newUnpackCommand(a *app) *cobra.Command {
	var u unpacking
	cmd := &cobra.Command{
		Use:   "unpack [flags] RECORDING",
		Short: "Print what was recorded as documents",
		Long: `Unpack makes documents, as check reads them, of what was recorded:
of each request about a resource with its answer. Each is a line of JSON. RECORDING
is a folder that watch or record has written, or the file exchanges.jsonl, or - for
lines of that on stdin: those of the requests, after those of their providers.

Nothing is hidden in these documents: what is sensitive is there IN CLEAR, as in the
recording. Only those of a redacted recording may be given to somebody else.

  PlanResourceChange    prior, config, proposed, initial_planned, requires_replace
  ApplyResourceChange   prior, final_config, final_planned, new
  ReadResource          prior, which is what was read
  UpgradeResourceState, MoveResourceState
                        upgraded
  ImportResourceState   imported, a document for each object

So the document of an apply has the plan that was applied, with the state that came
of it. check takes all of them: with --print proposed those of plans, and with --print changes
those of plans and applies, of which it shows what was planned.

A document is called by the RPC, the type and a number, as in "ApplyResourceChange
time_sleep #2", which replay tells in its JSON, and in its text where there is no id.
--rpc, --type, --number and --object, by its id, choose. Of a request without a
document stderr tells why, and what one does not have: the plan that a provider refused
to make, for example. That is no error, unless there is no document at all. Identities,
private data and how many objects are imported are in no document.

With --json there is an array of all requests, with line, provider, rpc, type,
number, object, the document, and a note with what stderr tells otherwise. That there
is no document at all is no error then. Fields may be added.`,
		Example: `  objchange unpack testdata/recordings/time/1-create
  objchange unpack --rpc ApplyResourceChange --type time_sleep testdata/recordings/time/4-replace | objchange check --print changes -`,
		Args: wantArgs(cobra.ExactArgs(1), "one RECORDING"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			u.from.dir = args[0]
			switch {
			case cmd.Flags().Changed("number") && u.number < 1:
				return misused("--number counts from 1")
			case u.rpc != "" && !tfcheck.Judged(u.rpc):
				return misused("--rpc %s: no rule speaks of such requests", u.rpc)
			}
			return a.unpack(&u)
		},
	}
	cmd.Flags().StringVar(&u.rpc, "rpc", "", "only requests of this `RPC`")
	cmd.Flags().StringVar(&u.typeName, "type", "", "only those for this `TYPE` of resource")
	cmd.Flags().StringVar(&u.object, "object", "", "only those for the object with this `ID`")
	cmd.Flags().IntVar(&u.number, "number", 0, "only the `N`th of an RPC for a type, as replay counts them")
	cmd.Flags().BoolVar(&u.asJSON, "json", false, "print JSON for programs, with the requests that have no document")
	cmd.Flags().StringVar(&u.from.schemas, "schemas", "", "the `FILE` of schemas of what record has written, as replay takes it")
	cmd.Flags().BoolVar(&u.from.legacy, "legacy-type-system", false, "all providers of what record has written use the legacy SDK")
	_ = cmd.MarkFlagFilename("schemas", "json") // which fails for a flag that is not there
	return cmd
}

func (a *app) unpack(u *unpacking) error {
	u.print = func(x unpack.Exchange) error { return a.printDocument(u.file, x) }
	if !u.asJSON {
		return errors.Join(a.eachRecorded(u), u.wrong.Err())
	}
	to := api.NewUnpackedWriter(a.out)
	u.print = to.Add
	err := a.eachRecorded(u)
	if err != nil && u.passed == 0 {
		return err // there is no recording
	}
	return errors.Join(err, u.wrong.Err(), to.Close())
}

// printDocument prints the document, and what there is to say of it.
func (a *app) printDocument(file string, x unpack.Exchange) error {
	if x.Document != nil {
		if _, err := fmt.Fprintf(a.out, "%s\n", x.Document); err != nil {
			return err
		}
	}
	if x.Note == "" {
		return nil
	}
	what := ""
	if x.Document == nil {
		what = "no document: "
	}
	_, err := fmt.Fprintln(a.errOut, words.Printable(fmt.Sprintf("objchange: %s:%d: %s: %s%s", file, x.Line, x.Name, what, x.Note), ""))
	return err
}

// eachRecorded reads the only recording that is named.
func (a *app) eachRecorded(u *unpacking) error {
	if u.from.dir == "-" {
		if u.from.schemas != "" || u.from.legacy {
			return misused("--schemas and --legacy-type-system are for the folders of record, and not for lines of watch")
		}
		u.file = "stdin"
		return u.ended(u.read(a.in))
	}
	logs, passed, err := u.from.find()
	if err != nil {
		return err
	}
	if n := len(logs) + len(passed); n != 1 {
		return fmt.Errorf("%s: want one recording, and there are %d in it", u.from.dir, n)
	}
	if len(logs) == 1 {
		if err := a.readSchemasOf(logs, u.from.schemas); err != nil {
			return err
		}
		u.file = logs[0].Log
		_, err := recording.Tell(logs, a.open, u.logged)
		return u.ended(err)
	}
	u.file = passed[0].File
	in, err := a.open(u.file)
	if err != nil {
		return err
	}
	defer in.Close()
	return u.ended(u.read(in))
}

// read takes what watch has recorded.
func (u *unpacking) read(file io.Reader) error {
	in, err := exchanges.NewPartReader(file)
	if err != nil {
		return fmt.Errorf("%s:%w", u.file, err)
	}
	for x, err := range unpack.Read(in, math.MaxInt) {
		if err != nil {
			u.wrong.Add(fmt.Errorf("%s:%w", u.file, err))
		} else {
			u.take(x)
		}
	}
	return nil
}

// logged takes what providers themselves have recorded of a request.
func (u *unpacking) logged(s report.Subject, seen []tfcheck.Exchange) {
	x := unpack.Exchange{Line: s.Place.Line, RPC: s.Columns[0], Type: s.Columns[1], Number: s.Number}
	x.Name, x.Note = unpack.Name(x.RPC, x.Type, x.Number), s.Reason
	for _, f := range s.Findings {
		if x.Note == "" {
			x.Note = f.Message
		}
	}
	if len(seen) == 0 {
		u.take(x)
	}
	var all []tfcheck.Witnessed
	for _, one := range seen {
		all = append(all, tfcheck.Witnessed{Exchange: one})
	}
	for one := range x.Documents(&u.packer, all) {
		u.take(one)
	}
}

// take prints an exchange, if it is one that was asked for.
func (u *unpacking) take(x unpack.Exchange) {
	u.passed++
	other := func(wanted, is string) bool { return wanted != "" && wanted != is }
	if other(u.rpc, x.RPC) || other(u.typeName, x.Type) || other(u.object, x.Object) || u.number != 0 && u.number != x.Number {
		return
	}
	if u.matched++; u.matched == 1 {
		u.first = x
	}
	if x.Document != nil {
		u.printed++
	}
	if u.failed == nil {
		u.failed = u.print(x)
	}
}

// ended returns why there is nothing, if so.
func (u *unpacking) ended(err error) error {
	switch {
	case err != nil || u.failed != nil:
		return errors.Join(err, u.failed)
	case u.asJSON:
	case u.matched == 0 && u.passed > 0:
		return fmt.Errorf("%s: none is chosen of %s that rules speak of", u.file, words.Plural(u.passed, "request"))
	case u.matched == 0 && u.wrong.N == 0:
		return fmt.Errorf("%s: there is no request in it that rules speak of", u.file)
	case u.printed == 0 && u.matched > 0:
		return fmt.Errorf("%s: no document can be made of %s: the first, in line %d: %s",
			u.file, words.Plural(u.matched, "request"), u.first.Line, u.first.Note)
	}
	return nil
}
