# Denies a plan if Terraform rejects anything in it, or in the state after it was applied, if the
# plan contradicts itself, and if something was not checked.
package terraform

report := objchange.check(input.plan, input.schemas) if not input.state

report := objchange.check_applied(input.plan, input.schemas, input.state)

deny contains sprintf("%s%s: %s [%s]", [resource.address, finding.path, finding.message, finding.rule]) if {
	some resource in report.resources
	some finding in resource.findings
	stops(finding)
}

stops(finding) if finding.enforced

# Terraform does not check whether a document contradicts itself: somebody may have changed it.
stops(finding) if finding.rule in {"plan-action", "plan-contradiction"}

deny contains sprintf("%s: %s: %s", [resource.address, resource.status, resource.reason]) if {
	some resource in report.resources
	resource.status != "checked"
	not resource.idle # there is nothing to check
}

# Without this rule, an input without a plan is allowed.
deny contains "the input has no plan or no schemas" if not report
