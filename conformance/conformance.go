// Package conformance has the recorded results of Terraform Core as a corpus of cases, and checks
// other implementations against them. [FORMAT.md] defines the format of cases and answers for
// implementations in any language.
//
// To test an implementation in Go, range over [Cases] and pass each outcome to [Case.Compare]. Other
// implementations need an adapter, which is a program that the command cmd/objchange-conformance
// starts. An adapter in Go calls [Serve].
//
// [FORMAT.md]: https://github.com/objchange/objchange/blob/main/conformance/FORMAT.md
package conformance

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"path"

	"github.com/zclconf/go-cty/cty"
)

// Release is the release of Terraform that defines the right outcomes. The corpus of the
// release has the same name.
const Release = "terraform-1.17.0-dev"

//go:embed corpus
var corpus embed.FS

// Corpus returns the files of the corpus as they are published: JSON lines, compressed with
// gzip. There is a directory for each recorded release.
func Corpus() fs.FS {
	files, err := fs.Sub(corpus, "corpus")
	if err != nil {
		panic(err) // the directory is embedded
	}
	return files
}

// Cases ranges over the corpus of [Release], file by file. After each case of [OpProposed], it
// yields the derived case of [OpComputed]. An error ends the sequence. The embedded files cause
// no errors.
func Cases() iter.Seq2[*Case, error] {
	return Select(func(string, Op) bool { return true })
}

// Select is like [Cases], for the cases that keep selects by id and operation. It is fast if
// keep selects few cases, because it does not decode the others.
func Select(keep func(id string, op Op) bool) iter.Seq2[*Case, error] {
	wanted := func(id string, op Op) bool {
		return keep(id, op) || op == OpProposed && keep(id, OpComputed)
	}
	return func(yield func(*Case, error) bool) {
		files, err := fs.Glob(Corpus(), path.Join(Release, "*.jsonl.gz"))
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("the corpus of %s does not exist", Release)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for _, name := range files {
			text, err := corpus.ReadFile(path.Join("corpus", name))
			if err != nil {
				yield(nil, err)
				return
			}
			for c, err := range read(bytes.NewReader(text), MessagePack{}, wanted) {
				if err != nil {
					yield(nil, fmt.Errorf("%s: %w", name, err))
					return
				}
				c.File = name
				if keep(c.ID, c.Op) && !yield(c, nil) {
					return
				}
				if c.Op != OpProposed || !keep(c.ID, OpComputed) {
					continue
				}
				if computed := c.Computed(); computed != nil && !yield(computed, nil) {
					return
				}
			}
		}
	}
}

// An Op is the operation of a case.
type Op string

// The operations. The comments name the functions of package objchange that implement them.
const (
	OpProposed Op = "proposed" // ProposedNew
	OpData     Op = "data"     // PlannedDataResource
	OpPlan     Op = "plan"     // AssertPlanValid
	OpReplan   Op = "replan"   // AssertPlanConsistent
	OpApply    Op = "apply"    // AssertApplyConsistent
	OpLegacy   Op = "legacy"   // NormalizeLegacySDK
	OpPrepare  Op = "prepare"  // PrepareComputedBlocks
	OpComputed Op = "computed" // PlanComputed; every plan that OpPlan accepts is right
)

// Ops returns all operations.
func Ops() []Op {
	return []Op{OpProposed, OpData, OpPlan, OpReplan, OpApply, OpLegacy, OpPrepare, OpComputed}
}

// Arguments returns the names of the arguments of the operation, in the order of the function's
// parameters. It returns nil for an unknown operation.
func (op Op) Arguments() []string {
	switch op {
	case OpProposed:
		return []string{"prior", "config"}
	case OpData, OpPrepare:
		return []string{"config"}
	case OpPlan:
		return []string{"prior", "config", "planned"}
	case OpReplan:
		return []string{"initial", "final"}
	case OpApply:
		return []string{"planned", "applied"}
	case OpLegacy:
		return []string{"value"}
	case OpComputed:
		return []string{"prior", "config", "proposed"}
	}
	return nil
}

// Checks reports whether the operation is a check, with errors as its outcome instead of a
// value.
func (op Op) Checks() bool { return op == OpPlan || op == OpReplan || op == OpApply }

// Computed returns the case of [OpComputed] that is derived from a case of [OpProposed]: to
// plan the proposed state. It returns nil for cases of other operations, if there is nothing to
// plan, and if no plan is valid, because the configuration is one that no user can write.
func (c *Case) Computed() *Case {
	if c.Op != OpProposed || c.In["config"].IsNull() || c.Expected().Kind != KindValue {
		return nil
	}
	derived := *c
	derived.Op, derived.Want = OpComputed, nil
	derived.In = map[string]cty.Value{"prior": c.In["prior"], "config": c.In["config"], "proposed": c.Expected().Value}
	if derived.Compare(Answer(&derived)).Verdict != VerdictSame {
		return nil
	}
	return &derived
}
