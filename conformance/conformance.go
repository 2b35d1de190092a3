// Package conformance is the corpus of what Terraform Core answered, and all that is
// needed to hold another implementation to it: how cases and answers are written,
// which [FORMAT.md] tells for any language, and how answers are judged.
//
// An implementation in Go is tested by ranging over [Cases] and judging what it makes of
// each; one that is a program of its own serves as an adapter, with [Serve] if it is
// written in Go, and is run by the program objchange-conformance, in the module conformance/runner.
//
// [FORMAT.md]: https://github.com/objchange/objchange/blob/main/conformance/FORMAT.md
package conformance

import (
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"

	"github.com/zclconf/go-cty/cty"
)

// Release is the release whose answers are right, which the corpus is named for.
const Release = "terraform-1.17.0-dev"

//go:embed corpus
var corpus embed.FS

// Corpus returns the files of the corpus, with a folder for each release that was
// recorded, as they are published: JSON lines, compressed by gzip.
func Corpus() fs.FS {
	files, err := fs.Sub(corpus, "corpus")
	if err != nil {
		panic(err) // it is embedded
	}
	return files
}

// Cases ranges over the corpus of [Release], file by file, and after each case of
// [OpProposed] the one of [OpComputed] that follows from it. An error ends it, and none
// comes as long as the files are those of this package.
func Cases() iter.Seq2[*Case, error] {
	return Select(func(string, Op) bool { return true })
}

// Select is [Cases] of those that are to be kept, by id and question. What is not is not
// decoded, so that a few are found quickly.
func Select(keep func(id string, op Op) bool) iter.Seq2[*Case, error] {
	read := func(id string, op Op) bool {
		return keep(id, op) || op == OpProposed && keep(id, OpComputed)
	}
	return func(yield func(*Case, error) bool) {
		files, err := fs.Glob(Corpus(), path.Join(Release, "*.jsonl.gz"))
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("there is no corpus of %s", Release)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for _, name := range files {
			for c, err := range file(name, read) {
				if err != nil {
					yield(nil, fmt.Errorf("%s: %w", name, err))
					return
				}
				if c.File = name; keep(c.ID, c.Op) && !yield(c, nil) {
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

// file ranges over the cases of one file of the corpus that are to be kept.
func file(name string, keep func(string, Op) bool) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		f, err := Corpus().Open(name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		for c, err := range readCompressed(f, keep) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// ReadCompressed is [Read] of what is compressed by gzip, in MessagePack.
func ReadCompressed(r io.Reader) iter.Seq2[*Case, error] { return readCompressed(r, nil) }

func readCompressed(r io.Reader, keep func(string, Op) bool) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		unzipped, err := gzip.NewReader(r)
		if err != nil {
			yield(nil, err)
			return
		}
		for c, err := range read(unzipped, MessagePack{}, keep) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// An Op is what a case asks.
type Op string

// The questions, of which the package objchange answers each with the function that
// the comment names.
const (
	OpProposed Op = "proposed" // ProposedNew
	OpData     Op = "data"     // PlannedDataResource
	OpPlan     Op = "plan"     // AssertPlanValid
	OpReplan   Op = "replan"   // AssertPlanConsistent
	OpApply    Op = "apply"    // AssertApplyConsistent
	OpLegacy   Op = "legacy"   // NormalizeLegacySDK
	OpPrepare  Op = "prepare"  // PrepareComputedBlocks
	OpComputed Op = "computed" // PlanComputed, though any plan is right that OpPlan accepts
)

// Ops are all of them.
func Ops() []Op {
	return []Op{OpProposed, OpData, OpPlan, OpReplan, OpApply, OpLegacy, OpPrepare, OpComputed}
}

// Arguments returns the names of the values that the question is about, in the order
// of the function's arguments, or nil if there is no such question.
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

// Checks reports whether the answer is errors and not a value.
func (op Op) Checks() bool { return op == OpPlan || op == OpReplan || op == OpApply }

// Computed returns the case of [OpComputed] that follows from one of [OpProposed]: it asks
// for a plan of what is proposed. It is nil for other cases, and where there is nothing
// to plan, or nothing that is right: of configurations that no user can write.
func (c *Case) Computed() *Case {
	if c.Op != OpProposed || c.In["config"].IsNull() || c.Right().Kind != KindValue {
		return nil
	}
	derived := *c
	derived.Op, derived.Want = OpComputed, nil
	derived.In = map[string]cty.Value{"prior": c.In["prior"], "config": c.In["config"], "proposed": c.Right().Value}
	if derived.Judge(Ask(&derived)).Verdict != VerdictSame {
		return nil
	}
	return &derived
}
