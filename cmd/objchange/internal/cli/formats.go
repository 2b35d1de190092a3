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

  format_version   "1.0"
  command          the command that was run
  strict           whether --strict was given
  summary          the number of subjects: ok, with_findings that count, failed,
                   skipped; and not_counting, the number of findings that count
                   with --strict only
  subjects         in the order in which they were judged
    group          what it belongs to: the recording, the file
    name           its name in one line, made of the fields that follow
    rpc, type, action
                   of replay's subjects
    document       of check's: its name
    address, action
                   of audit's
    type, step, action
                   of provider's
    status         "judged"; "skipped" if it cannot be judged; "failed" if the
                   provider refused, so that there is nothing to judge
    reason         why it was skipped, or failed
    file, line, pointer
                   where it is: file "-" is stdin, pointer is a JSON pointer
    findings
      rule         its name: see objchange rules
      path         the place in the value; "" is the whole
      message      what is wrong
      phase        of the lifecycle: config, upgrade, import, read, plan, replan
                   or apply
      enforced     whether Terraform Core rejects it; of what only audit asks,
                   whether it counts
      excused      whether it lets it pass since the provider has the type system
                   of the legacy SDK
      counts       whether the exit status is 1 for it: with strict of everything,
                   and else of what is enforced and not excused, and of a
                   perpetual-diff
  notes            what else is to be said
  error            what came before all was judged; the exit status is then 2

Fields that may be empty are left out then: the parts of the name, reason, file,
line, pointer, phase, notes and error. All is UTF-8 in every format, and other bytes
in values and names are written as \xff. What a terminal would act on is escaped, in
JSON and SARIF as \u202e, which programs read as what it is. Once the command line
tells the format, the document is written whatever comes, and once only.

sarif is SARIF 2.1.0, for code scanning. What counts is an error, what does not a
warning, and what is excused a note. Each rule has how to fix it as its help. What
has no line is told on line 1, with a logical location. Subjects that were skipped or failed are notifications of the
invocation.

junit is JUnit's XML, for continuous integration: a suite for each group and a
case for each subject. What counts makes it fail, the rest is its output, and what
was skipped or failed is a skipped case.

` + exitStatus,
	}
}
