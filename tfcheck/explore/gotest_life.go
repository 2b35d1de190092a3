package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// life writes the calls of a lifecycle. It writes one expression if there are no imports and no
// step before the last fails.
func (w *goWriter) life(s scenario) string {
	if !slices.ContainsFunc(s.lifecycleSteps(), func(st step) bool { return st.fails || st.does == imports || st.does == identifies }) {
		text := ""
		for _, st := range s.lifecycleSteps() {
			text += "." + w.step(s, st)
		}
		return fmt.Sprintf("d.Lifecycle(t, %q)", s.typeName) + text
	}
	lines := []string{fmt.Sprintf("life := d.Lifecycle(t, %q)", s.typeName)}
	for _, st := range s.lifecycleSteps() {
		switch {
		case st.does == imports:
			lines = append(lines, fmt.Sprintf(`d.Lifecycle(t, %q).Import(life.State().GetAttr("id").AsString())`, s.typeName))
		case st.does == identifies:
			lines = append(lines, fmt.Sprintf(`d.Lifecycle(t, %q).ImportIdentity(life.Identity())`, s.typeName))
		case st.fails: // the methods of Lifecycle would end the test
			lines = append(lines, "_, _ = life.Instance."+strings.Replace(w.step(s, st), "(", "(t.Context(), ", 1)+" // the provider returns an error")
		default:
			lines = append(lines, "life."+w.step(s, st))
		}
	}
	return strings.Join(lines, "\n")
}

// step writes the method call for a step.
func (w *goWriter) step(s scenario, st step) string {
	if st.does == destroys {
		return "Destroy()"
	}
	method := map[action]string{applies: "Apply(", replaces: "Replace("}[st.does]
	config := w.config(s.typeName, s.schema, st.config)
	if st.then == cty.NilVal {
		return goList(method, []string{config}, ")")
	}
	return goList(method, []string{w.config(s.typeName, s.schema, st.then), fmt.Sprintf("driver.Initially(%s)", config)}, ")")
}

// provided writes a value that another resource provides. If that resource is applied, an earlier
// statement creates its object.
func (w *goWriter) provided(n *need) string {
	if !n.of.applied {
		return w.value(cty.DynamicPseudoType, n.value)
	}
	return fmt.Sprintf("%s.State().GetAttr(%q)", w.origin(n.of), n.attr)
}

// origin writes a statement that creates a resource that provides values, and returns the name of
// its variable.
func (w *goWriter) origin(of *origin) string {
	name := func(i int) string { return fmt.Sprintf("other%d", i+1) }
	if i := slices.Index(w.origins, of); i >= 0 {
		return name(i)
	}
	values := w.values
	w.values = of.needs
	config := w.config(of.typeName, of.schema, of.config)
	w.values, w.origins = values, append(w.origins, of)
	variable := name(len(w.origins) - 1)
	fmt.Fprintf(&w.lives, "%s := %s\n", variable, goList(fmt.Sprintf("d.Lifecycle(t, %q).Apply(", of.typeName), []string{config}, ")"))
	return variable
}
