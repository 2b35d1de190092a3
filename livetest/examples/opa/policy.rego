# Denies a report of `objchange audit --format json` if a finding counts, if something was not
# checked, or if the report is incomplete.
package terraform

deny contains sprintf("%s%s: %s [%s]", [subject.address, finding.path, finding.message, finding.rule]) if {
	some subject in input.subjects
	some finding in subject.findings
	finding.counts
}

deny contains sprintf("%s: %s: %s", [subject.name, subject.status, object.get(subject, "reason", "")]) if {
	some subject in input.subjects
	subject.status != "checked"
	not subject.idle # there is nothing to check
	not subject.ignored
}

# A report with an error may lack subjects.
deny contains input.error

deny contains message if some message in input.errors

# Without this rule, an input that is no report is allowed.
deny contains "the input is not a report of objchange audit" if not is_report

is_report if {
	input.command == "audit"
	startswith(input.format_version, "1.")
	is_array(input.subjects)
}
