package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/rulebook"
	"github.com/objchange/objchange/cmd/internal/words"
)

// A program runs the providers. Its words replace those of Terraform in a text.
type program struct {
	name, command, issues string
	words                 *strings.Replacer
}

var (
	terraform = program{"Terraform", "terraform", "https://github.com/hashicorp/terraform/issues",
		strings.NewReplacer()}
	openTofu = program{"OpenTofu", "tofu", "https://github.com/opentofu/opentofu/issues",
		strings.NewReplacer("terraform ", "tofu ", "Terraform", "OpenTofu")}
)

// An around has the facts around the errors in a text.
type around struct {
	text    string
	program program
	doing   map[string]string // what the apply did with each object that the text names: "Creating", "Modifying"
	trace   Error             // what the stack trace says
}

// surroundings returns the facts in a text with errors.
func surroundings(text string, all []Error) around {
	a := around{text: text, program: terraform, doing: map[string]string{}}
	if slices.ContainsFunc(all, func(e Error) bool { return e.Rule == objchange.RuleCrash }) {
		a.trace = traceIn(text)
	}
	host, _, _ := strings.Cut(all[0].Provider, "/")
	tofu := ofTofu.MatchString(text) && !ofTerraform.MatchString(text)
	if host == "registry.opentofu.org" || host != "registry.terraform.io" && tofu {
		a.program = openTofu
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.Contains(line, "ing...") && !strings.Contains(line, "ing…") {
			continue
		}
		if m := progress().FindStringSubmatch(line); m != nil {
			a.doing[m[1]] = m[2]
		}
	}
	return a
}

var (
	ofTofu      = regexp.MustCompile(inCommand("tofu") + "|OpenTofu")
	ofTerraform = regexp.MustCompile(inCommand("terraform") + "|Terraform v\\d")
	progress    = lazy(`(?:^|[\s"'])(` + resource + `): (Creating|Modifying|Destroying)(?:\.\.|…)`)
)

// inCommand returns a pattern of the commands of a program.
func inCommand(program string) string {
	return "(?:^|[\\s$`])" + program + " (?:init|plan|apply|destroy|import|refresh|test|version)"
}

// complete adds to an error about a crash what the text shows elsewhere.
func (a *around) complete(e *Error) {
	e.program = a.program
	if e.Rule != objchange.RuleCrash {
		return
	}
	if e.Provider == "" || a.trace.Provider == "" || strings.HasSuffix("/"+e.Provider, "/"+a.trace.Provider) {
		e.Provider, e.Phase = cmp.Or(e.Provider, a.trace.Provider), cmp.Or(e.Phase, a.trace.Phase)
		e.Panic, e.Frame, e.trace = a.trace.Panic, a.trace.Frame, a.trace.trace
	}
	if e.Address == "" && len(a.doing) == 1 {
		for address := range a.doing {
			e.Address = address
		}
		e.Phase = cmp.Or(e.Phase, objchange.PhaseApply)
	}
}

// refers reports whether the text has a configuration in which the attribute at the error's path
// refers to another resource.
func (a *around) refers(e *Error) bool {
	names := attribute.FindAllString(e.Path, -1)
	m := ofType().FindStringSubmatch(e.Address)
	if m == nil || names == nil {
		return false
	}
	block, last := fmt.Sprintf("resource %q %q {", m[1], m[2]), names[len(names)-1]
	return regexp.MustCompile(regexp.QuoteMeta(block) + `[^}]*?\n"?` + last + `"?\s*=` + reference).MatchString(a.text)
}

var attribute = regexp.MustCompile(`[\pL_][\pL\pN_-]*`)

// reference matches the rest of a line that refers to another resource.
const reference = `.*\b(?:data\.)?[a-z][a-z0-9]*_\w+\.\w[\w-]*(?:\[[^\]]*\])?\.\w`

// A Blame says who is at fault.
type Blame string

// These are the values of Blame.
const (
	Provider  Blame = "provider"  // the provider of the resource
	Upstream  Blame = "upstream"  // the provider of another resource, from which the value comes
	Terraform Blame = "terraform" // Terraform or OpenTofu
	Unclear   Blame = "unclear"   // the provider or upstream
)

// faults has the sentence for each Blame.
var faults = map[Blame]string{
	Provider: "The provider is at fault, not your configuration.",
	Upstream: "Another provider is at fault: the configuration takes the value from another resource, " +
		"whose provider changed it.",
	Terraform: "Terraform is at fault, not the provider and not your configuration.",
	Unclear: "The text does not show who is at fault: this provider, " +
		"or the provider of another resource from which the configuration takes the value.",
}

// carriers matches types and paths of attributes that only have configured values.
var carriers = regexp.MustCompile(`^terraform_data\.(?:input|output|triggers_replace)\b` +
	`|^(?:null|time|random|tls)_\w+\.(?:triggers|keepers)\b`)

// judge sets what is known about the cause of an error: who is at fault, the meaning of the rule, the
// remedy, and the report for the provider.
func (a *around) judge(e *Error) {
	entry, _ := rulebook.Find(e.Rule)
	e.Meaning, e.Blame = cmp.Or(entry.Meaning, e.Meaning), a.blamed(e)
	e.Fault = faults[e.Blame]
	if e.Meaning != "" && (e.Blame == Provider || e.Blame == Unclear) {
		e.Remedy = entry.Remedy
		e.Report = report([]Error{*e})
	}
	switch {
	case e.Blame == Terraform && e.Rule == objchange.RuleActionChanged:
		e.Fault += " Terraform 0.12 and 0.13 have this fault."
	case e.Rule == objchange.RuleDataNull || e.Rule == objchange.RuleImportCount:
		e.Fault = "The provider is at fault: " +
			"it must return an error if it does not find what the configuration asks for."
	case e.SDK != "":
		e.Fault += " Terraform tolerates it, because the provider has the legacy type system." + later
	case e.Severity == objchange.Tolerated:
		e.Fault += " Terraform only logs it." + later
	}
	e.Fault = a.program.words.Replace(e.Fault)
}

func (a *around) blamed(e *Error) Blame {
	actions := []string{"CreateThenDelete", "DeleteThenCreate"}
	replan := e.Phase == objchange.PhaseReplan && e.Rule != objchange.RuleActionChanged
	switch {
	case e.says["terraform"] || e.Was != e.Now && slices.Contains(actions, e.Was) && slices.Contains(actions, e.Now):
		return Terraform
	case replan && (carriers.MatchString(ofType().ReplaceAllString(e.Address, "$1")+e.Path) || a.refers(e)):
		return Upstream
	case strings.HasPrefix(e.Provider, "terraform.io/builtin/"):
		return Terraform
	case !replan:
		return Provider
	case e.Rule == objchange.RuleInconsistentValue && (e.Was == "null" || e.Now == "null"):
		return Provider
	case e.Rule == "" || e.Rule == objchange.RuleInconsistentValue || e.Rule == objchange.RuleInconsistentSensitive:
		return Unclear
	}
	return Provider
}

const (
	later    = " It may cause other errors later."
	newest   = "Try the newest version of the provider. If it has the same fault, try an earlier version."
	upstream = "Find the resource from which the configuration takes the value. Run `TF_LOG=WARN terraform apply`, " +
		"and look in the log for \"produced an unexpected new value\" for this resource."
	whole = "Pass the whole error to objchange explain, without prefixes before each line. " +
		"objchange did not find or understand the lines below the summary, which name the fault and its place."
	created = "This apply created the object. Run `terraform untaint ADDRESS` before anything else. " +
		"Terraform has marked the new object as tainted: without this command, " +
		"the next apply destroys it and creates it again."
)

// advise sets the steps.
func (a *around) advise(e *Error) {
	for _, s := range a.steps(e) {
		step := a.program.words.Replace(s.Text)
		e.general = append(e.general, step)
		if e.Address != "" && !strings.Contains(e.Address, "`") { // a backtick would end the command
			step = strings.ReplaceAll(step, "ADDRESS", words.Printable(words.ShellWord(e.Address), ""))
		}
		e.Steps = append(e.Steps, step)
	}
}

// steps returns the steps for the user.
func (a *around) steps(e *Error) (steps []objchange.Step) {
	somewhere := rulebook.Case{Rule: objchange.RuleInconsistentValue, Phase: e.Phase, Path: "?", Severity: e.Severity}
	switch {
	case e.Blame == Terraform:
		return []objchange.Step{
			{Text: "Install the newest version of Terraform, and run `terraform apply` again."},
			{Text: "If the newest version has the same fault, report it to the authors of Terraform: " + a.program.issues},
		}
	case e.Blame == Upstream:
		return []objchange.Step{
			{Text: "Run `terraform apply` again, because the value is known now. The object is unchanged."}, {Text: upstream},
			{Text: "Try the newest version of the provider of this resource."},
			{Text: "Report it to the authors of the provider of this resource, with the line of the log."},
		}
	case e.Rule == "" && e.Severity == objchange.Tolerated:
		return rulebook.Steps(somewhere)
	case e.Rule == "" && e.Meaning == "" && e.Phase == objchange.PhaseApply: // only the summary
		return append(rulebook.Steps(somewhere)[:1], objchange.Step{Text: whole})
	case e.Rule == "" && e.Meaning == "":
		return []objchange.Step{{Text: whole}}
	case e.Rule == "": // an identity
		phase := cmp.Or(e.Phase, objchange.PhasePlan)
		steps = rulebook.Steps(rulebook.Case{Rule: objchange.RuleTypeMismatch, Phase: phase})
	default:
		steps = a.stepsOfRule(e)
	}
	last := len(steps) - 1
	if e.says["deposed"] { // the other steps are about the new object
		return []objchange.Step{{Text: "Run `terraform apply` again. " +
			"Terraform then tries again to delete the old object, which it keeps as deposed."}, steps[last]}
	}
	if e.Blame == Unclear {
		steps = slices.Insert(steps, last, objchange.Step{Text: upstream})
		last++
	}
	upgrades := func(s objchange.Step) bool { return s.Kind == objchange.StepUpgrades }
	if !slices.ContainsFunc(steps, upgrades) {
		steps = slices.Insert(steps, last, objchange.Step{Text: newest})
	}
	return steps
}

// stepsOfRule returns the steps of the rule that help with the values of the error and with what the
// apply did to the object.
func (a *around) stepsOfRule(e *Error) (steps []objchange.Step) {
	doing := a.doing[e.Address]
	deletes := e.says["present"] || e.Was == "null" || doing == "Destroying"
	creates := !deletes && (doing != "" || e.Now == "null")
	c := rulebook.Case{Rule: e.Rule, Phase: e.Phase, Path: e.Path, Was: e.Was, Now: e.Now, Severity: e.Severity}
	for _, step := range rulebook.Steps(c) {
		untaints := step.Kind == objchange.StepUntaints
		switch {
		case untaints && (doing == "Modifying" || unmanaged.MatchString(e.Address)):
		case step.Kind == objchange.StepRecovers && deletes:
		case step.Kind == objchange.StepForgets && creates:
		case untaints && doing == "Creating":
			steps = append(steps, objchange.Step{Text: created})
		default:
			steps = append(steps, step)
		}
	}
	return steps
}

// unmanaged matches addresses of what Terraform does not taint.
var unmanaged = regexp.MustCompile(`(?:^|\.)(?:data|ephemeral|list|action)\.`)
