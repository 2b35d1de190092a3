// Package docs holds the project's documents, for programs that show them.
package docs

import _ "embed"

// RuleBook is the law with the rule book in it, docs/semantics.md: every rule
// with its meaning, an example that breaks it and what is said of that, among
// chapters that tell how values are made and judged.
//
//go:embed semantics.md
var RuleBook string

// Remedies is docs/remedies.md: for every rule what breaks it and how to fix that,
// with broken and mended code.
//
//go:embed remedies.md
var Remedies string
