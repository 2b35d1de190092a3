package explore

import (
	"cmp"
	"context"
	"errors"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// configure finds a configuration of the provider that the provider accepts: the one of the
// hints, or one that is learned. The error says that there is none.
func (e *explorer) configure(ctx context.Context, s *session, provided *catalog.Provided, targets []target) error {
	e.naming.address, e.naming.hides, e.naming.protocol = e.address, e.hints.gives, s.process.Protocol
	if !provided.Configurable() {
		e.config = cty.EmptyObjectVal
		return nil
	}
	schema := s.catalog.Find(ctx, catalog.Provider, "")
	if schema.Err != nil {
		return schema.Err
	}
	e.naming.schema = schema.Compiled
	config, err := e.hints.providerConfig(schema.Compiled.Block())
	if err != nil {
		return err
	}
	t := target{Configuration, e.naming.local(firstName(targets)), schema}
	p := e.prober(s, t)
	if e.own, e.learns = p, config == cty.NilVal; e.learns {
		config = p.know.minimal()
	}
	e.config, err = p.accept(ctx, config)
	if p.found.Reached = err == nil; err != nil {
		p.found.Unreached = err.Error()
	}
	return err
}

// firstName returns the name of the first type, or "".
func firstName(targets []target) string {
	if len(targets) == 0 {
		return ""
	}
	return targets[0].name
}

// accept configures the provider, and learns, unless the hints have the configuration, until one
// is accepted, which is returned.
func (p *prober) accept(ctx context.Context, config cty.Value) (cty.Value, error) {
	for range tries {
		sc := p.scenario(PhaseMinimal, "", config, cty.NilVal)
		o, err := p.worker.run(ctx, sc)
		if err != nil || o.accepted() {
			return config, err
		}
		p.note(sc, o)
		p.silent = o.silence()
		if o.hung {
			p.trouble.hung++
		}
		next, ok := p.know.learn(config, o.diags)
		if !ok || !p.learns || p.trouble.hung >= maxHung {
			break
		}
		config = next
	}
	return config, &driver.ConfigError{What: "provider configuration", Err: errors.New(cmp.Or(p.silent, p.know.unreached()))}
}

// maxRounds is how often types are explored again with another configuration of the provider.
const maxRounds = 3

// again explores the types that were not reached once more, if some were refused for something
// in the configuration of the provider, with a configuration that has it.
func (e *explorer) again(ctx context.Context, targets []target, all []*found) error {
	for range maxRounds {
		config, which := e.lacking(all)
		if len(which) == 0 {
			return nil
		}
		s := e.session()
		s.config = cty.NilVal
		e.own.worker = s
		config, err := e.own.accept(ctx, config)
		s.stop()
		e.requests += s.requests
		if err != nil {
			if errors.As(err, new(*driver.ConfigError)) { // what was accepted before is all that there is
				err = nil
			}
			return err
		}
		e.config = config
		if err := e.all(ctx, targets, all, which); err != nil {
			return err
		}
	}
	return nil
}

// lacking returns which types were not reached, if some lack something in the provider's
// configuration, and a configuration that has it.
func (e *explorer) lacking(all []*found) (config cty.Value, which []int) {
	if !e.learns {
		return config, nil
	}
	var refused []driver.Diagnostic
	for i, f := range all {
		if f == nil || f.Reached || f.Skipped != "" {
			continue
		}
		which = append(which, i)
		if e.own.know.concerns(e.config, f.refused) {
			refused = append(refused, f.refused...)
		}
	}
	if len(refused) == 0 {
		return config, nil
	}
	config, ok := e.own.know.learn(e.config, refused)
	if !ok {
		return config, nil
	}
	return config, which
}
