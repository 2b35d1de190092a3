package drive

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange/cmd/objchange/internal/command"
	"github.com/objchange/objchange/cmd/objchange/internal/report"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck"
)

// start starts the provider, and returns an error for all input that it finds wrong.
func (in *Input) start(i Interrupts) (*lifecycle, error) {
	l := &lifecycle{in: in, interrupts: i, secrets: secrets{}, report: &report.Report{Command: "drive"}}
	step, done := i.within(in.Grace)
	defer done()
	running, end := context.WithCancelCause(i.second)
	started := context.AfterFunc(step, func() { end(context.Cause(step)) })
	if reason := command.NotStartable(in.Provider); reason != "" {
		return nil, fmt.Errorf("provider %s: %s", in.Provider, reason)
	}
	var err error
	if l.plugin, err = tfcheck.Launch(running, in.Provider); err != nil {
		return nil, err
	}
	started()
	if err := l.prepare(step); err != nil {
		_ = l.plugin.Close() // the error came first
		return nil, err
	}
	return l, nil
}

// prepare finds the resource type, and reads the configurations by its schema.
func (l *lifecycle) prepare(ctx context.Context) (err error) {
	if l.driver, err = l.plugin.Driver(ctx); err != nil {
		return err
	}
	if l.object, err = l.driver.Resource(l.in.Type); err != nil {
		return fmt.Errorf("%w%s", err, words.DidYouMean(l.nearTypes()))
	}
	schema := l.object.Schema()
	for _, c := range []struct {
		file file
		to   *any
	}{{l.in.config, &l.config}, {l.in.initially, &l.initially}, {l.in.update, &l.update}} {
		if *c.to, err = c.file.value(schema, c.to == &l.initially); err != nil {
			return err
		}
		if value, ok := (*c.to).(cty.Value); ok {
			l.secrets.add(schema.Block(), value)
		}
	}
	for _, name := range placeholder.FindAllString(l.in.Import, -1) {
		attr := schema.Block().Attributes[strings.Trim(name, "{}")]
		if attr == nil || attr.NestedType != nil || !attr.Type.IsPrimitiveType() && attr.Type != cty.DynamicPseudoType {
			return l.noImportID(name)
		}
	}
	return nil
}

// nearTypes returns the resource types that may be meant by one that does not exist.
func (l *lifecycle) nearTypes() (names []string) {
	const typos = 3
	for _, name := range l.driver.ResourceTypes() {
		if name == l.in.Type {
			return nil // something else is wrong
		}
		if levenshtein.Distance(l.in.Type, name, nil) <= typos {
			names = append(names, name)
		}
	}
	return names
}

// configure configures the provider. The error names the file for each problem.
func (l *lifecycle) configure() error {
	ctx, done := l.interrupts.within(l.in.Grace)
	defer done()
	config, err := l.in.provider.plain()
	if err != nil {
		return err
	}
	if schema, err := l.driver.ProviderSchema(); err == nil && config != nil {
		if value, err := ctydata.ValueOf(schema, config); err == nil { // else Configure returns the error
			l.secrets.add(schema, value)
		}
	}
	err = l.driver.Configure(ctx, config)
	if invalid := new(tfcheck.ConfigError); errors.As(err, &invalid) && config != nil {
		return l.in.provider.invalid(invalid)
	} else if err != nil {
		return errors.New(l.secrets.said(err.Error()))
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// importID returns the import ID with the object's attributes in it.
func (l *lifecycle) importID() (string, error) {
	var wrong error
	id := placeholder.ReplaceAllStringFunc(l.in.Import, func(name string) string {
		v := l.object.State().GetAttr(strings.Trim(name, "{}"))
		text, ok := word(v)
		switch {
		case v.IsNull():
			wrong = fmt.Errorf("--import: %s is null", name)
		case !ok:
			wrong = l.noImportID(name)
		}
		return text
	})
	return id, wrong
}

func (l *lifecycle) noImportID(name string) error {
	return fmt.Errorf("--import: %s is no attribute of %s that has a value in one word", name, l.in.Type)
}

// word returns a value as text, if it has one in one word.
func word(v cty.Value) (string, bool) {
	v, err := convert.Convert(v, cty.String)
	if err != nil || v.IsNull() {
		return "", false
	}
	return v.AsString(), true
}
