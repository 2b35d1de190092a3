package cli

import "github.com/spf13/cobra"

// newFormatsTopic is help on what the formats are, for programs that read them.
func newFormatsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "The formats of findings",
		Long: `Commands that find something print it as --format says.

text (the default) is for people: a line for each subject, which is a request, a
document, a resource or a step, with its findings below it; then the command that
tells how to fix it, once for each rule that was broken. On a terminal it has colour
and is as wide as that; NO_COLOR and CLICOLOR_FORCE are heeded.

json is one document for programs. Fields may be added; format_version tells.

  format_version   "1.1"
  command          the command that was run
  strict, fail_on_skipped
                   whether the flags were given
  summary          the number of subjects: ok, with_findings that count, failed,
                   skipped; not_counting, the number of findings that count
                   with --strict only; and ignored, of findings and of subjects
  subjects         in the order in which they were judged
    group          what it belongs to: the recording, the file, the provider
    name           its name in one line, made of the fields that follow
    rpc, type, object, action
                   of replay's and watch's subjects; object is the id, which the name has in
                   quotes, and the beginning of it only if it is very long
    number         of theirs: the how-manieth request of that RPC for that type it is
                   in the recording or the run; the name has it if there is no object
    document       of check's: its name
    address, action
                   of audit's
    type, step, action
                   of provider's
    case, op       of conformance's: the id of the case, and what it asks
    status         "judged"; "skipped" if it cannot be judged; "failed" if the
                   provider refused, so that there is nothing to judge
    reason         why it was skipped, or failed
    verdict        of conformance: what came of the case, see its help
    idle           whether it was skipped since there is nothing to judge, which
                   never counts
    ignored        why it does not count that it was skipped
    file, line, column, pointer
                   where it is: file "-" is stdin, lines and their characters count
                   from 1, pointer is a JSON pointer
    findings
      rule         its name: see objchange rules
      path         the place in the value; "" is the whole
      inside       from there to what differs inside of that value
      message      what is wrong
      pointer      of check's: JSON pointer to that place from the document's file on, as
                   far as it can be told. It may lead on where the document leaves out
                   what is null, or has a {"$...": ...}
      phase        of the lifecycle: config, upgrade, import, read, plan, replan,
                   apply, read-after-apply or plan-after-apply
      enforced     whether Terraform Core rejects it; of what only audit asks,
                   whether it counts
      excused      whether it lets it pass since the provider has the type system
                   of the legacy SDK; also true of what is not enforced and only
                   that SDK's zero value in place of null
      counts       whether the exit status is 1 for it: with strict of everything,
                   and else of what is enforced and not excused, and of a
                   perpetual-diff; never of what is ignored
      ignored      why it does not count
  ignores          what is to be ignored: what, source, reason, expired, and used, the
                   number of findings and subjects that the entry matches
  notes            what else is to be said
  error            what came before all was judged; the exit status is then 2
  errors           of all parts of the input that cannot be used
  shard            which part of the input this is of, as "3/20"
  scores           of conformance
    total          the number of cases by verdict: cases, same, value, verdict,
                   naming, malformed, crashed, silent, unsupported, not_asked; score,
                   the part of what was asked and is not unsupported that is same; and
                   coverage, the part of all cases that this is
    operations     the same of each operation
    rules          the number of cases that want a rule to be named: wanted, found and
                   missed, of those that are answered; and surplus, of cases where it
                   is named and not wanted
    failing        the smallest of the cases that are wrong: case, op, verdict, and
                   text, as the format text has it

Fields that may be empty are left out then: the parts of the name, reason, idle,
ignored, file, line, column, pointers, verdict, inside, phase, ignores, notes, error, errors, shard and scores. All is
UTF-8 in every format, and other bytes in values and names are written as \xff. What
a terminal would act on is escaped, in JSON and SARIF as \u202e, which programs read
as what it is. What GitHub Actions would take for a workflow command is escaped in all
that is printed but the annotations of github: :: at the beginning of a line is
:\u003a, and ##[ anywhere is ##\u005b. Once the command line tells the format, the document is written
whatever comes, and once only.

With check --stream, each document has a line of its own: a subject as above, with
format_version, notes and error.

sarif is SARIF 2.1.0, for code scanning. What counts is an error, what does not a
warning, and what is excused or ignored a note, the latter with a suppression. Each
rule has how to fix it as its help. What has no line is told on line 1, with a
logical location. Subjects that were skipped or failed are notifications of the
invocation. A result's fingerprint is made of the rule, the file as it was named, the
subject's name and the path, and a number if that is not the only one, so that a finding is the same one
wherever it is in the file. The version is there unless it is "(devel)", and as a
semantic version if it is that of a release.

junit is JUnit's XML, for continuous integration: a suite for each group and a
case for each subject. What counts makes it fail, the rest is its output, and what
was skipped or failed is a skipped case. Names have the line, as far as there is one
and they are not unique without it, as those of audit are. A suite has the number of
what is ignored in it as its property "ignored".

github is for GitHub Actions, which makes an annotation of each line: an error,
warning or notice, as in sarif. The findings come first, of which GitHub shows some
only; then what was skipped or failed, the notes, and a notice with the summary.

markdown is for comments and for the summaries of jobs: a table that counts, what
counts, and folded below it what does not count, how to fix what is broken, what was
skipped or failed, and the notes. It has 60 kB at most; what does not fit is counted.
Values and names are code, which nothing in them can end.

Conformance has scores in place of subjects in text, and above them in markdown; a
rule there is the verdict, as conformance-value. It has one more format, badge: an SVG
of the score.

  objchange audit plan.json --schemas schemas.json --format github
  objchange audit plan.json --schemas schemas.json --format markdown >> "$GITHUB_STEP_SUMMARY"

` + exitStatus,
	}
}
