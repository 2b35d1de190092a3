package explain

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/internal/summaries"
)

// A sentence describes an error in the text below its summary. The sentences of Terraform 0.12 to
// 1.17 and of OpenTofu differ in a few words.
type sentence struct {
	// anchor is the constant part of the sentence that is searched for. The other patterns match
	// the text before and after it. Their groups have the names of fields of an error. All are
	// without white space.
	anchor        string
	before, after func() *regexp.Regexp
	rule          objchange.Rule
	phase         objchange.Phase
	follows       bool // a problem after a path and a colon, or a list of them in a log
}

// These are parts of sentences.
const (
	expanding = `(?:when expanding the plan for (?:resource )?ADDRESS ` +
		`to include new values learned so far during apply,)?` +
		`(?:PROVIDER|(?P<terraform>terraform|opentofu)) `
	applying  = `(?:when applying (?:the )?changes to (?:the )?(?:resource )?ADDRESS,)?PROVIDER `
	writeOnly = `(?:while attempting to (?P<request>upgrade|import).{0,300}?,)?(?:the )?PROVIDER `
	tolerated = `(?:for ADDRESS(?:(?P<drift>during refresh)|` +
		`(?P<tolerated>,but we are tolerating it.*?(?:legacy plugin SDK\.)?)))`
	schema = `(?:schema(?:from)?(?:PROVIDER)?:plugin did not respond:)?` +
		`the plugin encountered an error, and `
	// plugin is the file name of a provider.
	plugin = `(?:terraform|tofu)-provider-(?P<provider>[\w-]+?)(?:_v\d\S*?)?(?:\.exe)?`
)

// In the table, « and » are around the anchor. PLACE is an address and a path, which some messages join
// to one word. PROBLEM is a problem after a path and a colon, or a list of them in a log.
var sentences = []sentence{
	say(objchange.PhaseRead, "", `PROVIDER «planned an invalid value for» ADDRESS during refresh:?PROBLEM`),
	say(objchange.PhasePlan, "", `PROVIDER «planned an invalid value for» ADDRESS:?PROBLEM`),
	say(objchange.PhasePlan, objchange.RuleReplacePath,
		`PROVIDER «has indicated "requires replacement" on» ADDRESS `+
			`for a non-existent attribute path(?P<code>cty\.Path.*)?`),
	say(objchange.PhasePlan, objchange.RulePlanPresent,
		`PROVIDER «planned a non-»n(?:ull|il) destroy value for ADDRESS`),
	say("", objchange.RuleWriteOnlyNotNull,
		writeOnly+`«returned a value for the write-only attribute»"PLACE"`+
			`(?:(?P<plan>during planning)|(?P<apply>after apply)|(?P<read>(?:during|after) refresh))?`),
	say(objchange.PhaseReplan, objchange.RuleActionChanged,
		expanding+`«changed the planned action from»(?P<was>\w+?)to(?P<now>\w+)`),
	say(objchange.PhaseReplan, "", expanding+`«produced an invalid new value»(?:for)?:?PROBLEM`),
	say(objchange.PhaseApply, "", applying+`«produced an unexpected new value»(?:`+tolerated+`|:|for)?PROBLEM`),
	say(objchange.PhaseApply, objchange.RuleStateUnknown,
		`«after the apply operation, the provider still indicated an unknown value for»`+
			`PLACE(?:\.all values|$)`),
	say(objchange.PhaseApply, objchange.RuleInconsistentPresence,
		`«after applying a»n?\w+?plan,the provider returned a(?:n|(?P<present>non-n))(?:ull|il) object for ADDRESS`),
	say(objchange.PhaseRead, "", `PROVIDER «produced an invalid value»(?P<apply>after apply)? for ADDRESS:?PROBLEM`),
	say(objchange.PhaseRead, objchange.RuleStateUnknown,
		`PROVIDER «produced a value for» ADDRESS that is not wholly known`),
	say(objchange.PhaseRead, objchange.RuleDataNull, `PROVIDER «produced a null value for» ADDRESS`),
	say(objchange.PhaseRead, "", `the provider for NAME «produced an inconsistent result:»PROBLEM`),
	say(objchange.PhaseUpgrade, "",
		`the (?P<provider>NAME) provider «upgraded the state for» ADDRESS from a previous version, `+
			`but produced an invalid result:PROBLEM`),
	say("", objchange.RuleTypeMismatch, `«at step»\d+:(?P<terraform>cannot access attributes on a null value)`),
	say("", objchange.RuleTypeMismatch, `error validating write-only attributes:«at step»\d+:`),
	say("", objchange.RuleTypeMismatch,
		`«failed to encode» ADDRESS in state: cannot serialize infinity as JSON`),
	say("", objchange.RuleTypeMismatch, `«error: an object with»\d+attributes?(?:is|are)required\(\d+given\)`),
	say(objchange.PhaseImport, objchange.RuleImportCount,
		`«while attempting to import with ID».{0,300}?,the provider ?returned `+
			`(?:no instance states|an instance with no state|multiple resource instance states)`),
	say("", objchange.RuleCrash,
		schema+`«failed to respond to the»(?:plugin\d?\.)?(?:\(\*\w+\)\.)?(?:(?P<request>\w+?)(?:call|$))?`),
	say("", objchange.RuleCrash, `the `+plugin+`«plugin crashed!»`),
	say("", objchange.RuleCrash, `«stack trace from the»`+plugin+`plugin`),
	say(objchange.PhasePlan, objchange.RuleDeferral, `«provider returned a deferred response `+
		`but the terraform request did not indicate support for deferred actions»`),
	say(objchange.PhasePlan, objchange.RuleDeferral, `«the provider signaled a deferred action for» "ADDRESS"`),
	say(objchange.PhasePlan, "",
		`PROVIDER «produced an invalid plan for» ADDRESS(?P<tolerated>,but we are tolerating it)PROBLEM`),
	say(objchange.PhaseRead, objchange.RuleStateNullBlocks,
		`PROVIDER «produced an invalid new value containing null blocks for» "ADDRESS"(?P<tolerated>during refresh)`),
	say(objchange.PhaseRead, "",
		`PROVIDER «planned an identity with unknown values for» ADDRESS during refresh`),
	say(objchange.PhasePlan, "", `PROVIDER «planned an identity with unknown values for» ADDRESS`),
	say(objchange.PhaseRead, "",
		`PROVIDER «returned an identity with unknown values for» ADDRESS during refresh`),
	say(objchange.PhaseApply, "", `PROVIDER «returned an identity with unknown values for» ADDRESS`),
}

// say returns the sentence with a text.
func say(phase objchange.Phase, rule objchange.Rule, text string) sentence {
	text, follows := strings.CutSuffix(text, "PROBLEM")
	before, rest, _ := strings.Cut(text, "«")
	anchor, after, _ := strings.Cut(rest, "»")
	return sentence{
		anchor: strings.ToLower(strings.ReplaceAll(anchor, " ", "")),
		before: pattern(before + "$"), after: pattern("^" + after),
		rule: rule, phase: phase, follows: follows,
	}
}

// pattern returns the pattern of a part of a sentence, without white space.
func pattern(text string) func() *regexp.Regexp { return lazy(`(?is)` + placeholders.Replace(text)) }

// lazy returns a function that compiles a pattern when it is first called. It is for patterns that take
// long: to compile all of them takes as long as everything else that a short command does.
func lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var placeholders = strings.NewReplacer(" ", "", "PROVIDER", `provider(?P<provider>`+providerName+`)`,
	"PLACE", `(?P<address>`+resource+`)(?P<path>\S*?)`, "NAME", name,
	"ADDRESS", quotes+`(?P<address>`+resource+`)`+quotes+
		`(?P<deposed>\(deposed(?:object)?[0-9a-f]*\))?(?:\([^()]{1,200}\))?`)

// A summary is the first line of an error.
type summary struct {
	text  string
	phase objchange.Phase
	rule  objchange.Rule // if the summary determines it
	says  string         // the requirement, if there is no rule
}

// identity is the requirement for identities.
const identity = "the identity of an object must be known and must not change"

// knownSummaries lists the summaries. Programs and releases have several summaries for one rule.
var knownSummaries = []summary{
	{summaries.InvalidPlan, objchange.PhasePlan, "", ""},
	{summaries.InconsistentPlan, objchange.PhaseReplan, "", ""},
	{"Terraform produced inconsistent final plan", objchange.PhaseReplan, "", ""},
	{summaries.InconsistentResult, objchange.PhaseApply, "", ""},
	{summaries.InvalidResult, objchange.PhaseApply, "", ""},
	{summaries.InvalidObject, "", "", ""},
	{summaries.NullObject, objchange.PhaseRead, "", ""},
	{summaries.InvalidEphemeral, objchange.PhaseRead, "", ""},
	{summaries.InvalidUpgrade, objchange.PhaseUpgrade, "", ""},
	{summaries.ImportedNone, objchange.PhaseImport, objchange.RuleImportCount, ""},
	{summaries.ImportedNull, objchange.PhaseImport, objchange.RuleImportCount, ""},
	{summaries.ImportedSeveral, objchange.PhaseImport, objchange.RuleImportCount, ""},
	{summaries.ImportedWriteOnly, objchange.PhaseImport, objchange.RuleWriteOnlyNotNull, ""},
	{summaries.InvalidDeferral, objchange.PhasePlan, objchange.RuleDeferral, ""},
	{"Provider deferred changes when Terraform did not allow deferrals",
		objchange.PhasePlan, objchange.RuleDeferral, ""},
	{"Plugin did not respond", "", objchange.RuleCrash, ""},
	{"rpc error: code = Unavailable desc = transport is closing", "", objchange.RuleCrash, ""},
	{"rpc error: code = Unavailable desc = error reading from server: EOF", "", objchange.RuleCrash, ""},
	{"Invalid provider response", "", objchange.RuleWriteOnlyNotNull, ""},
	{"Provider produced invalid identity", "", "", identity},
	{"Provider produced different identity", "", "", identity},
	{"Unexpected Identity Change", objchange.PhaseRead, "", identity},
	{"Missing Resource Identity After Read", objchange.PhaseRead, "", identity},
	{"Missing Resource Identity After Create", objchange.PhaseApply, "", identity},
	{"Missing Resource Identity After Update", objchange.PhaseApply, "", identity},
	{"Missing Resource State After Create", objchange.PhaseApply, objchange.RuleInconsistentPresence, ""},
	{"Missing Resource State After Update", objchange.PhaseApply, objchange.RuleInconsistentPresence, ""},
}

// A mark is the place of a sentence or of a summary in a text.
type mark struct {
	begin, end int
	sentence   *sentence
	summary    *summary
}

// marksIn returns the marks in a text, in order. At the same place, the longest is first.
func marksIn(d *dense) (all []mark) {
	add := func(part, after string, m mark) {
		for m.end = 0; ; {
			i := strings.Index(d.low[m.end:], part)
			if i < 0 {
				return
			}
			m.begin = m.end + i
			m.end = m.begin + len(part)
			if strings.HasSuffix(d.text[:m.begin], after) {
				all = append(all, m)
			}
		}
	}
	for i := range sentences {
		add(sentences[i].anchor, "", mark{sentence: &sentences[i]})
	}
	for i := range knownSummaries {
		text := strings.ToLower(strings.ReplaceAll(knownSummaries[i].text, " ", ""))
		add(text, "Error:", mark{summary: &knownSummaries[i]}) // otherwise, the text mentions the summary
	}
	slices.SortStableFunc(all, func(a, b mark) int { return cmp.Or(a.begin-b.begin, b.end-a.end) })
	return all
}
