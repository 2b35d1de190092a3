package explore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/internal/placeholder"
)

// PhaseCorpus tries the scenarios in the corpus.
const PhaseCorpus Phase = "corpus"

// A keptFile is a file of the corpus. It contains a scenario, and the finding of the scenario, if
// any.
type keptFile struct {
	Kind    Kind           `json:"kind"`
	Type    string         `json:"type"`
	Rule    objchange.Rule `json:"rule,omitempty"`
	Message string         `json:"message,omitempty"`
	Version int64          `json:"version,omitempty"` // schema version of the state
	State   any            `json:"state,omitempty"`   // to upgrade or move; Config is then optional
	From    *source        `json:"from,omitempty"`    // resource type that the state is moved from
	Config  any            `json:"config,omitempty"`
	Then    any            `json:"then,omitempty"`
	Steps   []keptStep     `json:"steps,omitempty"` // of a lifecycle; Config, Then and State are then absent
}

// A keptStep is a step of a lifecycle.
type keptStep struct {
	Does   action `json:"does"`
	Config any    `json:"config,omitempty"`
	Then   any    `json:"then,omitempty"`
}

// A corpus is a folder of scenarios.
type corpus struct {
	dir     string
	hides   func(typeName, slot string) bool
	secrets secrets
}

// load returns the scenarios for each target, in the order of the file names. A folder that does
// not exist contains no scenarios. The notes list each file that cannot be used, with the reason.
// load returns an error if the folder cannot be read for another reason, for example because it is
// a file.
func (c corpus) load(targets []target) (all map[target][]scenario, notes []string, err error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("the corpus cannot be read: %w", err)
	}
	all = map[target][]scenario{}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".json" || !entry.Type().IsRegular() {
			continue
		}
		name := filepath.Join(c.dir, entry.Name())
		t, sc, err := c.read(name, targets)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s is not used: %v", name, err))
			continue
		}
		all[t] = append(all[t], sc)
	}
	return all, notes, nil
}

// read reads a file. The error contains the problem and its place.
func (c corpus) read(name string, targets []target) (t target, sc scenario, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return t, sc, err
	}
	var file keptFile
	if err := unmarshal(text, &file); err != nil {
		return t, sc, err
	}
	i := slices.IndexFunc(targets, func(t target) bool { return t.kind == file.Kind && t.name == file.Type })
	if i < 0 {
		return t, sc, fmt.Errorf("the provider has no %s %q", file.Kind, file.Type)
	}
	t = targets[i]
	if t.schema == nil || t.schema.Err != nil {
		return t, sc, errors.New("the schema is missing or invalid")
	}
	sc = scenario{kind: t.kind, typeName: t.name, schema: t.schema.Compiled, phase: PhaseCorpus, about: filepath.Base(name)}
	if sc.old, err = file.old("the state of " + sc.about); err != nil {
		return t, sc, err
	}
	if file.Steps != nil {
		sc, err = file.lifecycle(sc)
		return t, sc, err
	}
	if file.Config == nil && sc.old == nil {
		return t, sc, errors.New("config is missing")
	}
	sc.config, sc.then, err = sc.values(file.Config, file.Then)
	return t, sc, err
}

// values converts the configurations that are present.
func (sc scenario) values(configData, thenData any) (config, then cty.Value, err error) {
	if configData != nil {
		if config, err = sc.value(configData); err != nil {
			return config, then, fmt.Errorf("config%w", err)
		}
	}
	if thenData != nil {
		if then, err = sc.value(thenData); err != nil {
			return config, then, fmt.Errorf("then%w", err)
		}
	}
	return config, then, nil
}

// lifecycle returns the scenario with the steps of the file.
func (f keptFile) lifecycle(sc scenario) (scenario, error) {
	if f.Kind != Resource || f.Config != nil || f.Then != nil || sc.old != nil || len(f.Steps) == 0 {
		return sc, errors.New("steps are allowed only for a resource, without config, then and state")
	}
	var all []step
	for i, kept := range f.Steps {
		if !slices.Contains([]action{applies, replaces, imports, identifies, destroys}, kept.Does) {
			return sc, fmt.Errorf("steps[%d].does: unknown step %q", i, kept.Does)
		}
		if kept.Config == nil && kept.Does != destroys {
			return sc, fmt.Errorf("steps[%d]: config is missing", i)
		}
		config, then, err := sc.values(kept.Config, kept.Then)
		if err != nil {
			return sc, fmt.Errorf("steps[%d].%w", i, err)
		}
		all = append(all, step{does: kept.Does, config: config, then: then})
	}
	return sc.withSteps(all), nil
}

// old returns the state to upgrade or move, or nil if the file has none.
func (f keptFile) old(name string) (*oldState, error) {
	if f.State == nil {
		return nil, nil
	}
	data, ok := f.State.(map[string]any)
	old := &oldState{name: name, version: f.Version, data: data}
	if f.From != nil {
		old.from = *f.From
	}
	switch {
	case !ok || f.Kind != Resource:
		return nil, errors.New("state is allowed only for a resource, and must be an object")
	case f.Then != nil:
		return nil, errors.New("then is not allowed with state")
	case f.From != nil && (f.From.Provider == "" || f.From.Type == ""):
		return nil, errors.New("from needs the address of a provider, and a type")
	}
	return old, nil
}

// unmarshal decodes JSON. Unknown fields and a second value are errors. The error contains the
// line.
func unmarshal(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if _, err = dec.Token(); err == io.EOF {
			return nil
		}
		err = errors.New("the file contains more than one JSON value")
	}
	line := 1 + bytes.Count(text[:min(dec.InputOffset(), int64(len(text)))], []byte("\n"))
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		line = 1 + bytes.Count(text[:min(syntax.Offset, int64(len(text)))], []byte("\n"))
	}
	return fmt.Errorf("line %d: %s", line, strings.TrimPrefix(err.Error(), "json: "))
}

// value converts a configuration. The error begins with the place.
func (sc scenario) value(data any) (cty.Value, error) {
	return ctydata.Format{Open: func(ty cty.Type, data any) (any, error) {
		if data == nil { // null, or a missing block
			return nil, nil
		}
		return placeholder.Open(ty, data)
	}}.ValueOf(sc.schema.Block(), data)
}

// keep writes the scenario to the corpus, unless it is already there. For a finding, rule and
// message are set. keep returns errSecret if the scenario contains something that must not be
// shown.
func (c corpus) keep(sc scenario, rule objchange.Rule, message string) error {
	if c.secrets.stateContains(sc.old) || slices.ContainsFunc(sc.lifecycleSteps(), func(st step) bool { return c.secrets.contains(st.config) || c.secrets.contains(st.then) }) {
		return errSecret
	}
	file := keptFile{Kind: sc.kind, Type: sc.typeName, Rule: rule, Message: c.secrets.hide(message)}
	set := func(v cty.Value) any {
		if v == cty.NilVal {
			return nil
		}
		return settings{sc.typeName, c.hides, sc.needs}.of(sc.schema.Block(), v)
	}
	if sc.does == plans {
		file.Config, file.Then = set(sc.config), set(sc.then)
	} else {
		for _, st := range sc.lifecycleSteps() {
			file.Steps = append(file.Steps, keptStep{st.does, set(st.config), set(st.then)})
		}
	}
	if sc.old != nil {
		file.Version, file.State = sc.old.version, sc.old.data
		if sc.old.moves() {
			file.From = &sc.old.from
		}
	}
	text, err := marshal(file)
	if errors.Is(err, errSecret) {
		return errSecret
	} else if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	name := filepath.Join(c.dir, fmt.Sprintf("%.200s-%x.json", url.PathEscape(sc.typeName), sum[:6]))
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	return writeAtomically(name, text, 0o644)
}

// writeAtomically writes a file. Other processes never see a part of the file.
func writeAtomically(name string, text []byte, mode fs.FileMode) error {
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".explore-*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Chmod(mode), file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// kept tries the scenarios of the corpus for the type, and reports whether a configuration was
// accepted. It takes the steps of lifecycles only if the type may be applied.
func (p *prober) kept(ctx context.Context) (accepted bool, err error) {
	for _, sc := range p.corpusFor[p.target] {
		var o outcome
		switch {
		case sc.old != nil:
			err = p.keptState(ctx, sc)
		case sc.does == plans:
			v := variation{about: sc.about, config: sc.config}
			if sc.then != cty.NilVal {
				v.then = []cty.Value{sc.then}
			}
			o, err = p.try(ctx, v, PhaseCorpus)
			accepted = accepted || err == nil && o.accepted()
		case p.applied():
			_, err = p.attempt(ctx, sc)
		}
		if err != nil {
			return accepted, err
		}
	}
	return accepted, nil
}

// keep adds the findings to the corpus. It also adds the first two accepted configurations, if the
// corpus has no scenarios for the type.
func (p *prober) keep() error {
	if p.corpus == "" {
		return nil
	}
	c := corpus{p.corpus, p.hints.gives, p.secrets}
	var errs []error
	if len(p.corpusFor[p.target]) == 0 {
		for _, config := range p.bases[:min(len(p.bases), 2)] {
			errs = append(errs, c.keep(p.scenario(PhaseCorpus, "", config, cty.NilVal), "", ""))
		}
	}
	for _, found := range p.found.findings {
		if found.HCL != "" && !found.unstable {
			errs = append(errs, c.keep(found.scenario, found.Rule, found.Message))
		}
	}
	all := len(errs)
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == errSecret })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notStored += all - len(errs)
	return cmp.Or(errs...)
}
