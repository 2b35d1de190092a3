package drive

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/internal/command"
	"github.com/objchange/objchange/cmd/internal/report"
	"github.com/objchange/objchange/tfcheck/driver"
)

// start starts the provider, and returns an error if it finds the input invalid.
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
	if l.plugin, err = driver.Launch(running, in.Provider); err != nil {
		return nil, err
	}
	started()
	if err := l.prepare(step); err != nil {
		_ = l.plugin.Close() // the first error is returned
		return nil, err
	}
	return l, nil
}

// prepare finds the resource type, and reads the configurations with its schema.
func (l *lifecycle) prepare(ctx context.Context) (err error) {
	if l.driver, err = l.plugin.Driver(ctx); err != nil {
		return err
	}
	if l.object, err = l.driver.Resource(l.in.Type); err != nil {
		return err
	}
	schema := l.object.Schema()
	for _, c := range []struct {
		file file
		to   *any
	}{{l.in.config, &l.config}, {l.in.initially, &l.initially}, {l.in.update, &l.update}} {
		if *c.to, err = l.value(c.file, schema, "configuration"); err != nil {
			return err
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

// configure configures the provider.
func (l *lifecycle) configure() error {
	ctx, done := l.interrupts.within(l.in.Grace)
	defer done()
	schema, err := l.driver.ProviderSchema()
	if err != nil {
		return err
	}
	compiled, err := objchange.Compile(schema)
	if err != nil {
		return err
	}
	config, err := l.value(l.in.provider, compiled, "provider configuration")
	if err != nil {
		return err
	}
	if err = l.driver.Configure(ctx, config); err != nil {
		return errors.New(l.secrets.redacted(err.Error()))
	}
	return nil
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// importID returns the import ID with the values of the object's attributes.
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
	return fmt.Errorf("--import: %s is not an attribute of %s with a string, number or bool as its value", name, l.in.Type)
}

// word returns a value as a string, if it can be converted.
func word(v cty.Value) (string, bool) {
	v, err := convert.Convert(v, cty.String)
	if err != nil || v.IsNull() {
		return "", false
	}
	return v.AsString(), true
}
