package spectest

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/conformance"
	"github.com/objchange/objchange/internal/spectest/generate"
	"github.com/objchange/objchange/internal/spectest/parts"
)

// This file tests the numbered paragraphs of docs/specification.md. The document lists a case of the
// corpus that demonstrates a paragraph.

var (
	paragraph       = regexp.MustCompile(`(?m)^\*\*(P-(\d+)\.(\d+))\.\*\*`)
	chapter         = regexp.MustCompile(`(?m)^## (\d+)\. `)
	paragraphNumber = regexp.MustCompile(`\bP-\d+\.\d+\b`)
	codeSpan        = regexp.MustCompile("`([^`]*)`")
	caseLine        = regexp.MustCompile(`(?m)^\*Case:\* .*\n\n`)
)

// TestParagraphsAreNumberedWithoutGaps checks that paragraphs are numbered without gaps in each chapter.
func TestParagraphsAreNumberedWithoutGaps(t *testing.T) {
	text := readSpecification(t)
	chapters := chapter.FindAllStringSubmatchIndex(text, -1)
	for i, c := range chapters {
		number, end := text[c[2]:c[3]], len(text)
		if i+1 < len(chapters) {
			end = chapters[i+1][0]
		}
		if number != strconv.Itoa(i+1) {
			t.Errorf("chapter %s follows chapter %d", number, i)
		}
		for j, p := range paragraph.FindAllStringSubmatch(text[c[0]:end], -1) {
			if want := fmt.Sprintf("P-%s.%d", number, j+1); p[1] != want {
				t.Errorf("got paragraph %s, want %s", p[1], want)
			}
		}
	}
	if n := len(paragraph.FindAllString(text, -1)); n < 150 {
		t.Errorf("found only %d paragraphs", n)
	}
}

// TestReferencedParagraphsExist checks that each paragraph number in documents and code exists.
func TestReferencedParagraphsExist(t *testing.T) {
	known := map[string]bool{}
	for _, p := range paragraph.FindAllStringSubmatch(readSpecification(t), -1) {
		known[p[1]] = true
	}
	referred := 0
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch ext := filepath.Ext(name); {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return fs.SkipDir
		case ext != ".go" && ext != ".md":
			return nil
		}
		text, err := os.ReadFile(name)
		for _, number := range paragraphNumber.FindAllString(string(text), -1) {
			if referred++; !known[number] {
				t.Errorf("%s refers to %s, which does not exist", name, number)
			}
		}
		return err
	})
	if err != nil || referred < 200 {
		t.Errorf("found only %d references: %v", referred, err)
	}
}

// TestEachParagraphHasItsCase checks the case that the document lists for each paragraph: the references must
// apply the paragraph to it. With -update the test lists the case to which the fewest other paragraphs
// apply.
func TestEachParagraphHasItsCase(t *testing.T) {
	if *update {
		writeCases(t)
	}
	text := readSpecification(t)
	listed := map[string][]string{} // paragraphs by case
	starts := paragraph.FindAllStringSubmatchIndex(text, -1)
	for i, p := range starts {
		number, section := text[p[2]:p[3]], text[p[1]:]
		if i+1 < len(starts) {
			section = text[p[1]:starts[i+1][0]]
		}
		name := codeSpan.FindStringSubmatch(caseLine.FindString(section))
		if name != nil {
			listed[name[1]] = append(listed[name[1]], number)
		}
		chapter, paragraph := text[p[4]:p[5]], text[p[6]:p[7]]
		none := slices.Contains(withoutCases[chapter], paragraph) || !slices.Contains([]string{"3", "4", "5", "6", "10", "11", "12"}, chapter)
		if none != (name == nil) {
			t.Errorf("%s lists the case %q; update the document or withoutCases", number, name)
		}
	}
	name := func(id string, op conformance.Op) string { return (&conformance.Case{ID: id, Op: op}).Name() }
	for c, err := range conformance.Select(func(id string, op conformance.Op) bool { return listed[name(id, op)] != nil }) {
		if err != nil {
			t.Fatal(err)
		}
		applied, _ := paragraphsIn(c)
		for _, number := range listed[c.Name()] {
			if !applied[number] {
				t.Errorf("%s does not apply to %s", number, c.Name())
			}
		}
		delete(listed, c.Name())
	}
	if len(listed) > 0 {
		t.Errorf("the corpus does not have the cases %v", listed)
	}
}

// writeCases lists cases in the document.
func writeCases(t *testing.T) {
	t.Helper()
	found := map[string][]paragraphCase{}
	for c := range conformance.Cases() {
		applied, times := paragraphsIn(c)
		for number := range applied {
			found[number] = append(found[number], paragraphCase{c, len(applied), times})
		}
	}
	text := caseLine.ReplaceAllString(readSpecification(t), "")
	for number, all := range found {
		simplest := slices.MinFunc(all, func(a, b paragraphCase) int {
			return cmp.Or(cmp.Compare(a.paragraphs, b.paragraphs), cmp.Compare(a.times, b.times), cmp.Compare(a.Name(), b.Name()))
		})
		start := strings.Index(text, "\n**"+number+".**")
		if start < 0 {
			t.Fatalf("the paragraph %s does not exist", number)
		}
		end := start + strings.Index(text[start:], "\n\n")
		text = text[:end] + "\n\n*Case:* `" + simplest.Name() + "`" + text[end:]
	}
	if err := os.WriteFile(specification, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// withoutCases lists the paragraphs without a case in the corpus, by chapter. They contain
// definitions and decisions of this project, describe functions without recorded results, or apply
// to values that the corpus does not have: a configuration or plan that is unknown as a whole, sets
// of primitive values in blocks, and escapes.
var withoutCases = map[string][]string{
	"3":  {"2", "5", "6", "22", "23", "25", "26", "31", "32"},
	"4":  {"9", "10", "12", "16", "18"},
	"5":  {"2", "4", "5"},
	"6":  {"9", "10", "11", "12", "13", "14", "15"},
	"10": {"2", "30", "31", "32", "33"},
	"12": {"2", "3"},
}

// A paragraphCase is a case in which a paragraph applies.
type paragraphCase struct {
	*conformance.Case
	paragraphs, times int // number of paragraphs that apply, and number of their applications
}

// paragraphsIn returns the paragraphs that the references apply to the case, and the number of their
// applications. It returns nil if the references do not support the case, because a value does not
// conform or because the elements of a proposal have no common type.
func paragraphsIn(c *conformance.Case) (applied map[string]bool, times int) {
	applied = map[string]bool{}
	in, implied := map[string]cty.Value{}, c.Schema.Block.ImpliedType()
	for name, v := range c.In {
		switch {
		case v.RawEquals(cty.DynamicVal):
			v = cty.UnknownVal(implied)
		case v.RawEquals(cty.NullVal(cty.DynamicPseudoType)):
			v = cty.NullVal(implied)
		}
		in[name] = v
	}
	cited = func(number string) {
		applied[number] = true
		times++
	}
	defer func() {
		if cited = nil; recover() != nil {
			applied = nil
		}
	}()
	block := c.Schema.Block
	switch c.Op {
	case conformance.OpProposed:
		proposal(block, in["prior"], in["config"])
	case conformance.OpData:
		config := in["config"]
		citeIf(config.IsKnown() && !config.IsNull(), "P-5.1")
		citeIf(!config.IsKnown() || config.IsNull(), "P-5.2")
		proposal(block, cty.UnknownVal(block.ImpliedType()), config)
		delete(applied, "P-3.4")
	case conformance.OpPlan:
		planFindings(generate.Resource{Schema: block, Prior: in["prior"], Config: in["config"], Planned: in["planned"]})
	case conformance.OpReplan:
		replanFindings(block, in["initial"], in["final"])
	case conformance.OpApply:
		applyFindings(block, in["planned"], in["applied"])
	case conformance.OpLegacy:
		value := in["value"]
		citeIf(value.IsNull() || !value.IsKnown(), "P-6.3")
		citeIf(!value.IsKnown(), "P-6.8")
		citeBlocks(block, value, citeLegacy)
	case conformance.OpPrepare:
		citeBlocks(block, in["config"], citePrepared)
	}
	return applied, times
}

// citeBlocks calls cite for each block type, at every depth of the value.
func citeBlocks(block *configschema.Block, value cty.Value, cite func(nb *configschema.NestedBlock, value cty.Value)) {
	if value.IsNull() || !value.IsKnown() {
		return
	}
	for name, nb := range block.BlockTypes {
		inner := value.GetAttr(name)
		cite(nb, inner)
		if parts.BlocksOf(nb).Single() {
			citeBlocks(&nb.Block, inner, cite)
			continue
		}
		for _, e := range parts.ElementsOf(inner) {
			citeBlocks(&nb.Block, e.Value, cite)
		}
	}
}

func citeLegacy(nb *configschema.NestedBlock, value cty.Value) {
	n, changes := parts.BlocksOf(nb), value.IsNull() || !value.IsKnown()
	switch {
	case n.Mode == configschema.NestingMap || nb.ImpliedType().HasDynamicTypes():
		citeIf(changes, "P-6.4")
	case n.Single():
		citeIf(changes, "P-6.5")
		citeIf(!value.IsKnown(), "P-6.8")
	default:
		citeIf(changes, "P-6.6")
		citeIf(!value.IsKnown(), "P-6.8")
		citeIf(!changes && value.LengthInt() > 0, "P-6.7")
	}
}

func citePrepared(nb *configschema.NestedBlock, value cty.Value) {
	n := parts.BlocksOf(nb)
	empty := !n.Single() && value.IsKnown() && !value.IsNull() && value.LengthInt() == 0
	citeIf(nb.Computed && empty, "P-6.1")
	citeIf(nb.Computed != empty, "P-6.2")
}

func readSpecification(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(specification)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
