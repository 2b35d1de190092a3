package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/words"
	"github.com/objchange/objchange/docs"
	"github.com/objchange/objchange/tfcheck"
)

// advise sets the fields with advice from the rules reference.
func (e *Error) advise() {
	e.Fault = "The provider is at fault, not your configuration."
	switch {
	case e.Rule == tfcheck.RuleDataNull || e.Rule == tfcheck.RuleImportCount:
		e.Fault = "The provider is at fault: it must return an error if it does not find what the configuration asks for."
	case e.SDK == SDKv2:
		e.Fault += " Terraform tolerates it, because the provider has the legacy type system. It may cause other errors later."
	case !e.Enforced:
		e.Fault += " Terraform only logs it. It may cause other errors later."
	}
	entry, ok := rulebook.Find(e.Rule)
	e.Meaning, e.Remedy = entry.Meaning, entry.Remedy
	if ok {
		e.Steps = rulebook.Steps(e.Rule, e.Phase, e.extent(), !e.Enforced)
	} else {
		e.Steps = e.stepsOfSummary()
	}
	if e.deposed { // the other steps are about the new object
		e.Steps = append([]string{"Run `terraform apply` again. Terraform then tries again to delete the old object, which it keeps as deposed."}, e.Steps[len(e.Steps)-1])
	}
	if e.Address != "" && !strings.Contains(e.Address, "`") { // a backtick would end the command
		for i, step := range e.Steps {
			e.Steps[i] = words.Printable(strings.ReplaceAll(step, "ADDRESS", words.ShellWord(e.Address)), "")
		}
	}
	e.Workaround = strings.Join(e.Steps, " ")
	if e.Rule != "" {
		e.Report = reportOf([]Error{*e})
	}
}

// extent returns whether the error is about the whole object or a part.
func (e *Error) extent() objchange.Extent {
	if e.Path == "" {
		return objchange.WholeObject
	}
	return objchange.Part
}

// stepsOfSummary returns the steps for the user if the text has only the summary of an error.
func (e *Error) stepsOfSummary() (steps []string) {
	if e.Summary == inconsistent || e.Summary == invalidResult {
		steps = rulebook.Steps(objchange.RuleInconsistentValue, objchange.PhaseApply, objchange.Part, false)[:1]
	}
	return append(steps, "Pass the whole error to objchange explain, without prefixes before each line. objchange did not find or understand the lines below the summary, which name the fault and its place.")
}

// Says returns the error on one line: the path, and the values.
func (e *Error) Says() string {
	place := cmp.Or(e.Path, "the object")
	switch {
	case e.Rule == "":
		return e.Summary
	case e.Was != "" && e.Now != "":
		return fmt.Sprintf("%s: %s %s, %s %s", place, e.earlier(), e.Was, e.later(), e.Now)
	case e.Now != "":
		return fmt.Sprintf("%s: %s %s", place, e.later(), e.Now)
	}
	return fmt.Sprintf("%s: %s", place, cmp.Or(e.Message, e.Meaning))
}

func (e *Error) earlier() string {
	switch e.Phase {
	case objchange.PhasePlan, objchange.PhaseRead:
		return "configured"
	case objchange.PhaseReplan:
		return "first planned"
	}
	return "planned"
}

func (e *Error) later() string {
	switch e.Phase {
	case objchange.PhasePlan:
		return "planned"
	case objchange.PhaseReplan:
		return "then planned"
	}
	return "returned"
}

// reportOf returns an issue in Markdown for the authors of the provider, about errors of one
// resource and rule.
func reportOf(all []Error) string {
	e := &all[0]
	title := cmp.Or(typeOfAddress(e.Address), "a resource") + ": " + cmp.Or(e.Summary, string(e.Rule))
	if e.Path != "" {
		title += " (" + words.Span(e.Path) + ")"
	}
	verb, sentences := "says", []string{e.Summary}
	if !e.Enforced {
		verb, sentences = "logs", nil
	}
	for _, o := range all {
		if o.Sentence != "" {
			sentences = append(sentences, o.Sentence)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nTerraform %s:\n\n%s\n\n", title, verb, fenced(strings.Join(sentences, "\n\n"), "text"))
	if e.Rule != "" {
		fmt.Fprintf(&b, "The rule [%s](%s): %s. %s\n\n", e.Rule, docs.RuleURL(e.Rule), e.Meaning, e.Remedy)
	}
	b.WriteString(toFillIn)
	return words.Printable(b.String(), "\n")
}

// toFillIn is the part of an issue that the user completes.
const toFillIn = `Remove secret values from the text above before you publish it.

## To reproduce

The configuration of the resource:

(insert it here)

(attach the folder that "objchange watch --record recording --redact -- terraform apply" writes; it has no values)

## Versions

(insert here what "terraform version" prints)
`

// fenced returns any text as a Markdown code block.
func fenced(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}

// typeOfAddress returns the resource type in an address.
func typeOfAddress(address string) string {
	m := ofType.FindStringSubmatch(address)
	if m == nil {
		return ""
	}
	return m[1]
}

var ofType = regexp.MustCompile(`(` + name + `)\.` + name + `(?:` + index + `)?$`)
