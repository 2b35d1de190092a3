package explore

import (
	"cmp"
	"context"
	"errors"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// configure finds a configuration that the provider accepts: the configuration from the hints, or a
// learned configuration. It returns an error if the provider accepts no configuration.
func (e *explorer) configure(ctx context.Context, s *session.Session, provided *catalog.Provided, targets []scenario.Target) error {
	e.naming.Address, e.naming.Hides, e.naming.Protocol = e.address, e.hints.Gives, s.Process.Protocol
	if !provided.Configurable() {
		e.config = cty.EmptyObjectVal
		return nil
	}
	schema := s.Catalog.Find(ctx, catalog.Provider, "")
	if schema.Err != nil {
		return schema.Err
	}
	e.naming.Schema = schema.Compiled
	config, err := e.hints.ProviderConfig(schema.Compiled.Block())
	if err != nil {
		return err
	}
	t := scenario.Target{Kind: Configuration, Name: e.naming.Local(firstName(targets)), Schema: schema}
	p := e.prober(s, t)
	if e.own, e.learns = p, config == cty.NilVal; e.learns {
		config = p.know.Minimal()
	}
	e.config, err = p.accept(ctx, config)
	if p.found.Reached = err == nil; err != nil {
		p.found.Unreached = err.Error()
	}
	return err
}

// firstName returns the name of the first type, or "" if there is no type.
func firstName(targets []scenario.Target) string {
	if len(targets) == 0 {
		return ""
	}
	return targets[0].Name
}

// accept configures the provider and returns the accepted configuration. It learns from refusals
// and tries again, unless the hints contain the configuration.
func (p *prober) accept(ctx context.Context, config cty.Value) (cty.Value, error) {
	for range tries {
		sc := p.scenario(PhaseMinimal, "", config, cty.NilVal)
		o, err := p.worker.Run(ctx, sc)
		if err != nil || o.Accepted() {
			return config, err
		}
		p.note(sc, o)
		p.noResponseReason = o.NoResponseReason()
		if o.Hung {
			p.trouble.hung++
		}
		next, ok := p.know.Learn(config, o.Diags)
		if !ok || !p.learns || p.trouble.hung >= maxHung {
			break
		}
		config = next
	}
	return config, &driver.ConfigError{What: "provider configuration", Err: errors.New(cmp.Or(p.noResponseReason, p.know.Unreached()))}
}

// maxRounds limits how often types are explored again with another configuration of the provider.
const maxRounds = 3

// retryUnreached explores the types that were not reached once more, with another configuration of
// the provider. It does so only if some types were refused because the provider's configuration
// lacks something.
func (e *explorer) retryUnreached(ctx context.Context, targets []scenario.Target, all []*found) error {
	for range maxRounds {
		config, which := e.missingConfig(all)
		if len(which) == 0 {
			return nil
		}
		s := e.session()
		s.Config = cty.NilVal
		e.own.worker = s
		config, err := e.own.accept(ctx, config)
		s.Stop()
		e.requests += s.Requests
		if err != nil {
			if errors.As(err, new(*driver.ConfigError)) { // keep the configuration that was accepted before
				err = nil
			}
			return err
		}
		e.config = config
		if err := e.exploreAll(ctx, targets, all, which); err != nil {
			return err
		}
	}
	return nil
}

// missingConfig returns the types that were not reached and a provider configuration to try, if
// some types were refused because the current configuration lacks something.
func (e *explorer) missingConfig(all []*found) (config cty.Value, which []int) {
	if !e.learns {
		return config, nil
	}
	var refused []driver.Diagnostic
	for i, f := range all {
		if f == nil || f.Reached || f.Skipped != "" {
			continue
		}
		which = append(which, i)
		if e.own.know.Concerns(e.config, f.refused) {
			refused = append(refused, f.refused...)
		}
	}
	if len(refused) == 0 {
		return config, nil
	}
	config, ok := e.own.know.Learn(e.config, refused)
	if !ok {
		return config, nil
	}
	return config, which
}
