package repro

import (
	"fmt"
	"slices"
	"strings"

	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/zclconf/go-cty/cty"
)

// life writes the calls of a lifecycle. It writes one expression if there are no imports and no
// step before the last fails.
func (w *goWriter) life(s scenario.Scenario) string {
	if !slices.ContainsFunc(s.LifecycleSteps(), func(st scenario.Step) bool {
		return st.Fails || st.Does == scenario.Imports || st.Does == scenario.Identifies
	}) {
		text := ""
		for _, st := range s.LifecycleSteps() {
			text += "." + w.step(s, st)
		}
		return fmt.Sprintf("d.Lifecycle(t, %q)", s.TypeName) + text
	}
	lines := []string{fmt.Sprintf("life := d.Lifecycle(t, %q)", s.TypeName)}
	for _, st := range s.LifecycleSteps() {
		switch {
		case st.Does == scenario.Imports:
			lines = append(lines, fmt.Sprintf(`d.Lifecycle(t, %q).Import(life.State().GetAttr("id").AsString())`, s.TypeName))
		case st.Does == scenario.Identifies:
			lines = append(lines, fmt.Sprintf(`d.Lifecycle(t, %q).ImportIdentity(life.Identity())`, s.TypeName))
		case st.Fails: // the methods of Lifecycle would end the test
			lines = append(lines, "_, _ = life.Instance."+strings.Replace(w.step(s, st), "(", "(t.Context(), ", 1)+" // the provider returns an error")
		default:
			lines = append(lines, "life."+w.step(s, st))
		}
	}
	return strings.Join(lines, "\n")
}

// step writes the method call for a step.
func (w *goWriter) step(s scenario.Scenario, st scenario.Step) string {
	if st.Does == scenario.Destroys {
		return "Destroy()"
	}
	method := map[scenario.Action]string{scenario.Applies: "Apply(", scenario.Replaces: "Replace("}[st.Does]
	config := w.config(s.TypeName, s.Schema, st.Config)
	if st.Then == cty.NilVal {
		return goList(method, []string{config}, ")")
	}
	return goList(method, []string{w.config(s.TypeName, s.Schema, st.Then), fmt.Sprintf("driver.Initially(%s)", config)}, ")")
}

// provided writes a value that another resource provides. If that resource is applied, an earlier
// statement creates its object.
func (w *goWriter) provided(n *scenario.Need) string {
	if !n.Of.Applied {
		return w.value(cty.DynamicPseudoType, n.Value)
	}
	return fmt.Sprintf("%s.State().GetAttr(%q)", w.origin(n.Of), n.Attr)
}

// origin writes a statement that creates a resource that provides values, and returns the name of
// its variable.
func (w *goWriter) origin(of *scenario.Origin) string {
	name := func(i int) string { return fmt.Sprintf("other%d", i+1) }
	if i := slices.Index(w.origins, of); i >= 0 {
		return name(i)
	}
	values := w.values
	w.values = of.Needs
	config := w.config(of.TypeName, of.Schema, of.Config)
	w.values, w.origins = values, append(w.origins, of)
	variable := name(len(w.origins) - 1)
	fmt.Fprintf(&w.lives, "%s := %s\n", variable, goList(fmt.Sprintf("d.Lifecycle(t, %q).Apply(", of.TypeName), []string{config}, ")"))
	return variable
}
