package rulebook

import (
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/words"
)

// A change is a step that changes the configuration, for the values of a violation. PATH and NOW
// stand for the path and the value that the provider plans or returns.
type change struct {
	rule     objchange.Rule
	was, now string // see classOf, or "" for any value
	text     string
}

const (
	makeKnown = "Make the configured value known before the plan: first apply the resources to which PATH refers, " +
		"with `terraform apply -target=RESOURCE`. Then run `terraform apply`."
	thenApply = " Then run `terraform apply`."
	orLeave   = " Or, if the attribute is optional and computed, leave it out of the configuration: " +
		"the provider then chooses the value."
	perpetual = " If the configuration does not set PATH, the service changed a computed value: " +
		"run `terraform apply` again. If the error comes back, only the provider can fix it."
)

// valueChanges replace the steps in the rules reference that change the configuration. The first row
// for the values of a violation counts.
var valueChanges = []change{
	{objchange.RulePlanNotConfig, "unknown", "", makeKnown},
	{objchange.RulePlanNotConfig, "", "null",
		"Remove PATH from the configuration, if it is optional: the provider plans no value."},
	{objchange.RulePlanNotConfig, "", "unknown",
		"Leave PATH out of the configuration, if it is optional and computed: the provider then chooses the value."},
	{objchange.RulePlanNotConfig, "null", "value", "Write the value of PATH as the provider plans it: NOW."},
	{objchange.RulePlanNotConfig, "", "value", "Write the value of PATH as the provider plans it: NOW." + orLeave},
	{objchange.RulePlanNotComputed, "", "unknown",
		"Set PATH in the configuration, so that the provider does not choose a value."},
	{objchange.RulePlanNotComputed, "", "value",
		"Set PATH in the configuration to the value that the provider plans: NOW."},
	{objchange.RulePlanCount, "unknown", "", makeKnown},
	{objchange.RuleInconsistentValue, "null", "value",
		"Write the value that the provider returns for PATH into the configuration: NOW." + thenApply},
	{objchange.RuleInconsistentValue, "", "null",
		"Remove PATH from the configuration, if it is optional: the provider returns no value." +
			thenApply + perpetual},
	{objchange.RuleInconsistentValue, "", "value",
		"Write the value of PATH as the provider returns it: NOW." + orLeave + thenApply + perpetual},
	{objchange.RuleInconsistentPresence, "null", "",
		"Write the object or the block at PATH into the configuration, as the provider adds it." + thenApply},
	{objchange.RuleInconsistentPresence, "", "null",
		"Remove the object or the block at PATH from the configuration: the provider does not return it." + thenApply},
}

// classOf returns the class of a value: "null", "unknown", "value", or "hidden" if it is not in the text.
func classOf(value string) string {
	switch {
	case value == "null":
		return value
	case strings.HasPrefix(value, "(unknown"):
		return "unknown"
	case value == "" || strings.HasPrefix(value, "(") || strings.Contains(value, "***"):
		return "hidden"
	}
	return "value"
}

// ofValues returns a step with the path and the values of the case.
func (c Case) ofValues(step objchange.Step) objchange.Step {
	fits := func(class, value string) bool { return class == "" || class == classOf(value) }
	row := slices.IndexFunc(valueChanges, func(row change) bool {
		return row.rule == c.Rule && fits(row.was, c.Was) && fits(row.now, c.Now)
	})
	if row < 0 || step.Kind != objchange.StepConfigures {
		return step
	}
	path := "the attribute"
	if c.Path != "" {
		path = words.Span(c.Path)
	}
	now := words.Span(c.Now)
	if strings.Contains(c.Now, "…") {
		now = "see the error for the whole value"
	}
	step.Text = strings.NewReplacer("PATH", path, "NOW", now).Replace(valueChanges[row].text)
	return step
}
