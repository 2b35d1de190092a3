package main

import (
	"fmt"
	"io"
	"iter"

	"github.com/objchange/objchange/conformance"
)

// caseSeq is a sequence of cases.
type caseSeq = iter.Seq2[*conformance.Case, error]

// read ranges over the cases in a file that keep selects.
func read(name string, in io.Reader, keep func(id string, op conformance.Op) bool) caseSeq {
	return func(yield func(*conformance.Case, error) bool) {
		for c, err := range conformance.Read(in, jsonCodec{}) {
			if err != nil {
				yield(nil, fmt.Errorf("%s: %w", name, err))
				return
			}
			c.File = name
			if keep(c.ID, c.Op) && !yield(c, nil) {
				return
			}
		}
	}
}

// export writes the cases with their right outcomes. For cases without recorded outcomes, it
// writes the outcome of package objchange, except for OpComputed, which has many right
// outcomes.
func export(w io.Writer, cases caseSeq, codec conformance.Codec) error {
	lines := conformance.NewWriter(w, codec, true)
	for c, err := range cases {
		if err != nil {
			return err
		}
		if len(c.Want) == 0 && c.Op != conformance.OpComputed {
			answered := *c
			answered.Want = map[string]conformance.Outcome{"spec": c.Expected()}
			c = &answered
		}
		if err := lines.Write(c); err != nil {
			return err
		}
	}
	return nil
}
