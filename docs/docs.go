// Package docs holds the project's documents, for programs that show them.
package docs

import _ "embed"

// RuleBook is the rule book, docs/semantics.md: every rule with its meaning, an
// example that breaks it and what is said of that.
//
//go:embed semantics.md
var RuleBook string
