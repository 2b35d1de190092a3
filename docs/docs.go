// Package docs embeds the documents that programs show.
package docs

import _ "embed"

// RuleBook is the text of docs/semantics.md, the specification. It defines how values are made
// and checked, and describes each rule with an example that breaks it and the finding.
//
//go:embed semantics.md
var RuleBook string

// Remedies is the text of docs/remedies.md. For each rule, it says what breaks the rule and how to
// fix it, with code before and after the fix.
//
//go:embed remedies.md
var Remedies string
