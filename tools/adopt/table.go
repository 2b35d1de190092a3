package adopt

import (
	"fmt"
	"strings"
)

// table returns the results as Markdown.
func table(results []*result) string {
	var b strings.Builder
	b.WriteString("| recipe | version | lines before | after | no longer imported | tests passed before | after | failed before | after | other verdict | modules gained | versions raised |\n")
	b.WriteString("| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", r.Name, r.Version, r.Lines.Removed, r.Lines.Added, r.Unused,
			r.Before.count(pass), r.After.count(pass), r.Before.count(fail), r.After.count(fail), len(r.Changed), len(r.Gained), len(r.Raised))
	}
	for _, r := range results {
		fmt.Fprintf(&b, "\n%s: %s\n", r.Name, r.Module)
		item := func(name string, values ...string) {
			if text := strings.Join(values, ", "); text != "" {
				fmt.Fprintf(&b, "- %s: %s\n", name, text)
			}
		}
		item("error", r.Error)
		item("version", r.Note)
		item("missing", r.Missing)
		if r.TestLines != (lines{}) {
			item("lines of tests", fmt.Sprintf("%d before, %d after", r.TestLines.Removed, r.TestLines.Added))
		}
		item("modules gained", r.Gained...)
		item("versions raised", r.Raised...)
		for _, v := range r.Changed {
			item(v.Test, fmt.Sprintf("%s before, %s after", v.Before, v.After))
		}
	}
	return b.String()
}
