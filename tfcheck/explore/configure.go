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
	learned := config == cty.NilVal
	if learned {
		config = p.know.minimal()
	}
	e.configured = p.found
	if config, err = p.accept(ctx, config, learned); err == nil && learned {
		config, err = p.satisfy(ctx, config, targets)
	}
	e.config = config
	if p.found.Reached = err == nil; err != nil {
		p.found.Unreached = err.Error()
	}
	return errors.Join(err, p.confirm(ctx))
}

// firstName returns the name of the first type, or "".
func firstName(targets []target) string {
	if len(targets) == 0 {
		return ""
	}
	return targets[0].name
}

// accept configures the provider, and learns until it accepts a configuration, which is
// returned.
func (p *prober) accept(ctx context.Context, config cty.Value, learns bool) (cty.Value, error) {
	for range tries {
		sc := p.scenario(PhaseMinimal, "", config, cty.NilVal)
		o, err := p.worker.run(ctx, sc)
		if err != nil || o.accepted() {
			return config, err
		}
		p.note(sc, o)
		p.silent = o.silence()
		if o.hung {
			p.hung++
		}
		next, ok := p.know.learn(config, o.diags)
		if !ok || !learns || p.hung >= maxHung {
			break
		}
		config = next
	}
	return config, &driver.ConfigError{What: "provider configuration", Err: errors.New(cmp.Or(p.silent, p.know.unreached()))}
}

// maxAsked is how many resource types are planned to see whether the configuration of the
// provider has what they need.
const maxAsked = 3

// satisfy learns from refusals of resources what is missing in the accepted configuration
// of the provider, and returns one that has it, as far as the provider accepts it.
func (p *prober) satisfy(ctx context.Context, config cty.Value, targets []target) (cty.Value, error) {
	asked := 0
	for _, t := range targets {
		if t.kind != Resource || t.schema.Err != nil || !p.wanted(t.name) || p.hints.skipped(t.name) != "" {
			continue
		}
		if asked++; asked > maxAsked {
			break
		}
		var err error
		if config, err = p.satisfyOne(ctx, config, p.prober(p.worker, t)); err != nil {
			if errors.As(err, new(*driver.ConfigError)) { // what was accepted before is all that there is
				err = nil
			}
			return config, err
		}
	}
	return config, nil
}

// satisfyOne plans a resource until a configuration is accepted, or nothing more is learned.
func (p *prober) satisfyOne(ctx context.Context, config cty.Value, of *prober) (cty.Value, error) {
	resource := of.know.minimal()
	for range tries {
		o, err := p.worker.run(ctx, of.scenario(PhaseMinimal, "", resource, cty.NilVal))
		if err != nil || len(o.diags) == 0 {
			return config, err
		}
		if !of.know.concerns(resource, o.diags) && p.know.concerns(config, o.diags) {
			next, ok := p.know.learn(config, o.diags)
			if !ok {
				return config, nil
			}
			p.worker.stop()
			if next, err = p.accept(ctx, next, true); err != nil {
				return config, err
			}
			config = next
			continue
		}
		next, ok := of.know.learn(resource, o.diags)
		if !ok {
			return config, nil
		}
		resource = next
	}
	return config, nil
}
