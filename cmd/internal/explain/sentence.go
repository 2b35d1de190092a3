package explain

import (
	"regexp"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck"
)

// A sentence is the beginning of the description of an error. The sentences of Terraform 0.12 to
// 1.17 and of OpenTofu differ in a few words.
type sentence struct {
	begins  *regexp.Regexp // in dense text, with groups for address, provider and path
	summary string         // of the error
	phase   objchange.Phase
	rule    objchange.Rule // if the sentence alone determines it
	follows follows        // the text after it
	// problems are the problems that may follow.
	problems []problem
	// legacy means that Terraform only logs the error, because the provider has the legacy type
	// system.
	legacy bool
	words  map[string]bool // of the sentence, to find out how lines were wrapped
	anchor string          // the longest constant piece of the sentence, dense and in lower case
}

// follows is the kind of text after the beginning of a sentence.
type follows int

const (
	nothing     follows = iota
	pathProblem         // a path, which may be empty, a colon, and a problem
	path                // only a path
	goCodePath          // a path as Go code
	list                // a list of problems
)

// These are the summaries of errors.
const (
	invalidPlan      = "Provider produced invalid plan"
	inconsistentPlan = "Provider produced inconsistent final plan"
	inconsistent     = "Provider produced inconsistent result after apply"
	invalidResult    = "Provider returned invalid result object after apply"
	invalidObject    = "Provider produced invalid object"
	nullObject       = "Provider produced null object"
	invalidEphemeral = "Provider produced invalid ephemeral resource instance"
	invalidUpgrade   = "Invalid resource state upgrade"
)

var sentences = []sentence{
	say(`provider PROVIDER planned an invalid value for ADDRESS during refresh:`, invalidObject, objchange.PhaseRead, "", pathProblem, values),
	say(`provider PROVIDER planned an invalid value for ADDRESS`, invalidPlan, objchange.PhasePlan, "", pathProblem, plans),
	say(`provider PROVIDER has indicated "requires replacement" on ADDRESS for a non-existent attribute path`, invalidPlan, objchange.PhasePlan, objchange.RuleReplacePath, goCodePath, nil),
	say(`provider PROVIDER planned a non-(?:null|nil) destroy value for ADDRESS`, invalidPlan, objchange.PhasePlan, objchange.RulePlanPresent, nothing, nil),
	say(`while attempting to upgrade state of resource .+?, the provider PROVIDER returned a value for the write-only attribute "ADDRESSPATH"`, invalidUpgrade, objchange.PhaseUpgrade, objchange.RuleWriteOnlyNotNull, nothing, nil),
	say(`while attempting to import with ID .+?, the provider PROVIDER returned a value for the write-only attribute "ADDRESSPATH"`, "Import returned a non-null value for a write-only attribute", objchange.PhaseImport, objchange.RuleWriteOnlyNotNull, nothing, nil),
	say(`provider PROVIDER returned a value for the write-only attribute "ADDRESSPATH" during planning`, invalidPlan, objchange.PhasePlan, objchange.RuleWriteOnlyNotNull, nothing, nil),
	say(`provider PROVIDER returned a value for the write-only attribute "ADDRESSPATH" after apply`, invalidObject, objchange.PhaseApply, objchange.RuleWriteOnlyNotNull, nothing, nil),
	say(`provider PROVIDER returned a value for the write-only attribute "ADDRESSPATH" (?:during|after) refresh`, invalidObject, objchange.PhaseRead, objchange.RuleWriteOnlyNotNull, nothing, nil),
	say(`provider PROVIDER returned a value for the write-only attribute "ADDRESSPATH"`, invalidObject, "", objchange.RuleWriteOnlyNotNull, nothing, nil),
	say(`when expanding the plan for ADDRESS to include new values learned so far during apply, provider PROVIDER changed the planned action`, inconsistentPlan, objchange.PhaseReplan, tfcheck.RuleActionChanged, nothing, nil),
	say(`when expanding the plan for ADDRESS to include new values learned so far during apply, provider PROVIDER produced an invalid new value(?: for)?`, inconsistentPlan, objchange.PhaseReplan, "", pathProblem, changes),
	say(`when applying changes to ADDRESS, provider PROVIDER produced an unexpected new value(?::| for)`, inconsistent, objchange.PhaseApply, "", pathProblem, changes),
	say(`when expanding the plan for ADDRESS to include new values`, inconsistentPlan, objchange.PhaseReplan, "", nothing, nil), // cut off
	say(`when applying changes to ADDRESS, provider`, inconsistent, objchange.PhaseApply, "", nothing, nil),                     // cut off
	say(`after the apply operation, the provider still indicated an unknown value for ADDRESS`, invalidResult, objchange.PhaseApply, objchange.RuleStateUnknown, path, nil),
	say(`after applying an? \w+ plan, the provider returned a (?:non-)?(?:null|nil) object for ADDRESS`, invalidResult, objchange.PhaseApply, objchange.RuleInconsistentPresence, nothing, nil),
	say(`provider PROVIDER produced an invalid value after apply for ADDRESS`, invalidObject, objchange.PhaseApply, "", pathProblem, values),
	say(`provider PROVIDER produced an invalid value for ADDRESS`, invalidObject, objchange.PhaseRead, "", pathProblem, values),
	say(`provider PROVIDER produced a value for ADDRESS that is not wholly known`, invalidObject, objchange.PhaseRead, objchange.RuleStateUnknown, nothing, nil),
	say(`provider PROVIDER produced a null value for ADDRESS`, nullObject, objchange.PhaseRead, tfcheck.RuleDataNull, nothing, nil),
	say(`the provider for NAME produced an inconsistent result:`, invalidEphemeral, objchange.PhaseRead, "", pathProblem, opens),
	say(`the (?P<provider>NAME) provider upgraded the state for ADDRESS from a previous version, but produced an invalid result:`, invalidUpgrade, objchange.PhaseUpgrade, "", pathProblem, values),
	say(`error validating write-only attributes: at step \d+:`, "", "", objchange.RuleTypeMismatch, nothing, nil),
	say(`while attempting to import with ID .+?, the provider ?returned no instance states`, "Import returned no resources", objchange.PhaseImport, tfcheck.RuleImportCount, nothing, nil),
	say(`while attempting to import with ID .+?, the provider ?returned an instance with no state`, "Import returned null resource", objchange.PhaseImport, tfcheck.RuleImportCount, nothing, nil),
	say(`while attempting to import with ID .+?, the provider ?returned multiple resource instance states`, "Multiple import states not supported", objchange.PhaseImport, tfcheck.RuleImportCount, nothing, nil),
	say(`failed to encode ADDRESS in state: cannot serialize infinity as JSON`, "failed to encode", "", objchange.RuleTypeMismatch, nothing, nil),
	say(`the plugin encountered an error, and failed to respond to the \S*?PlanResourceChange call`, "Plugin did not respond", objchange.PhasePlan, tfcheck.RuleCrash, nothing, nil),
	say(`the plugin encountered an error, and failed to respond to the \S*?ApplyResourceChange call`, "Plugin did not respond", objchange.PhaseApply, tfcheck.RuleCrash, nothing, nil),
	say(`the plugin encountered an error, and failed to respond to the \S*?(?:Read|Open)\w+ call`, "Plugin did not respond", objchange.PhaseRead, tfcheck.RuleCrash, nothing, nil),
	say(`the plugin encountered an error, and failed to respond to the \S*? call`, "Plugin did not respond", objchange.PhaseConfig, tfcheck.RuleCrash, nothing, nil),
	say(`provider returned a deferred response but the Terraform request did not indicate support for deferred actions`, "Invalid Deferred Response", objchange.PhasePlan, tfcheck.RuleDeferral, nothing, nil),
	say(`the provider signaled a deferred action for "ADDRESS"`, "Provider deferred changes when Terraform did not allow deferrals", objchange.PhasePlan, tfcheck.RuleDeferral, nothing, nil),
	logged(say(`provider PROVIDER produced an invalid plan for ADDRESS, but we are tolerating it`, invalidPlan, objchange.PhasePlan, "", list, plans)),
	logged(say(`provider PROVIDER produced an unexpected new value for ADDRESS during refresh`, inconsistent, objchange.PhaseRead, "", list, changes)),
	logged(say(`provider PROVIDER produced an unexpected new value for ADDRESS, but we are tolerating it`, inconsistent, objchange.PhaseApply, "", list, changes)),
	logged(say(`provider PROVIDER produced an invalid new value containing null blocks for "ADDRESS" during refresh`, "", objchange.PhaseRead, objchange.RuleStateNullBlocks, nothing, nil)),
}

func say(text, summary string, phase objchange.Phase, rule objchange.Rule, what follows, problems []problem) sentence {
	words := map[string]bool{}
	for _, word := range strings.Fields(text + " " + ends) {
		words[trimmed(word)] = true
	}
	for _, p := range problems {
		for _, word := range strings.Fields(p.text) {
			words[trimmed(word)] = true
		}
	}
	anchor := anchorOf(text)
	text = strings.NewReplacer(" ", "", "PROVIDER", `(?:"(?P<provider>(?:[\w.]*provider\["[^"]*"\][^"]*|(?:[^"\\]|\\.)*))"|`+redacted+`)`, "ADDRESSPATH", `(?P<place>`+resource+`.*?)`,
		"ADDRESS", `(?P<address>`+resource+`)`+deposed, "NAME", name).Replace(text)
	return sentence{regexp.MustCompile(`(?i)` + text), summary, phase, rule, what, problems, false, words, anchor}
}

// anchorOf returns the longest piece of a sentence without names of values and alternatives.
func anchorOf(text string) (anchor string) {
	for _, piece := range variable.Split(text, -1) {
		if piece = strings.ToLower(strings.ReplaceAll(piece, " ", "")); len(piece) > len(anchor) {
			anchor = piece
		}
	}
	return anchor
}

var variable = regexp.MustCompile(`PROVIDER|ADDRESSPATH|ADDRESS|NAME|\(\?.*?\)[?]?|\\S\*\?|\\[wd]\+|\.\+\?|\w?\?`)

// before and after limit the size of a sentence on both sides of its anchor.
const before, after = 2000, 1000

// find returns the matches of the sentence in a dense text. The parameter lower is the text in
// lower case.
func (s *sentence) find(text, lower string) (all [][]int) {
	from := 0 // the text before it is searched already
	for at := 0; ; {
		i := strings.Index(lower[at:], s.anchor)
		if i < 0 {
			return all
		}
		at += i + len(s.anchor)
		begin := max(from, at-len(s.anchor)-before)
		m := s.begins.FindStringSubmatchIndex(text[begin:min(len(text), at+after)])
		if m == nil {
			continue
		}
		for k := range m {
			if m[k] >= 0 {
				m[k] += begin
			}
		}
		all = append(all, m)
		from = m[1]
		at = max(at, from)
	}
}

// lower returns the text with ASCII letters in lower case. The length stays the same.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func logged(s sentence) sentence {
	s.legacy = true
	return s
}

// ends is the last sentence of most errors.
const ends = "This is a bug in the provider, which should be reported in the provider's own issue tracker."

// endsDense is the beginning of ends in dense text.
const endsDense = "Thisisabugintheprovider"

// bare matches the summary of an error.
var bare = regexp.MustCompile(strings.ReplaceAll(strings.Join([]string{
	invalidPlan, inconsistentPlan, inconsistent, invalidResult, invalidObject, nullObject, invalidEphemeral, invalidUpgrade,
}, "|"), " ", ""))

// summaries has the phase of each summary. Some texts have only the summary.
var summaries = map[string]objchange.Phase{
	invalidPlan: objchange.PhasePlan, inconsistentPlan: objchange.PhaseReplan, inconsistent: objchange.PhaseApply,
	invalidResult: objchange.PhaseApply, invalidObject: "", nullObject: objchange.PhaseRead, invalidEphemeral: objchange.PhaseRead, invalidUpgrade: objchange.PhaseUpgrade,
}
