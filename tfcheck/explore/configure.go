package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore/internal/scenario"
	"github.com/objchange/objchange/tfcheck/explore/internal/session"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
)

// configure finds a configuration that the provider accepts: the configuration from the hints, or a
// learned configuration. It returns an error if the provider accepts no configuration.
func (e *explorer) configure(ctx context.Context, s *session.Session) error {
	e.naming.Address, e.naming.Hides, e.naming.Protocol = e.o.address, e.o.hints.Gives, s.Process.Protocol
	schema := s.Catalog.Find(ctx, catalog.Provider, "")
	switch {
	case schema.Err != nil:
		return schema.Err
	case schema.Type.Equals(cty.EmptyObject):
		e.config = cty.EmptyObjectVal
		return nil
	}
	e.naming.Schema = schema.Compiled
	given, err := e.o.hints.ProviderConfig(schema.Compiled.Block())
	if err != nil {
		return err
	}
	t := scenario.Target{Kind: Configuration, Name: e.naming.Local(""), Schema: schema}
	p := e.prober(s, resultOf(t))
	p.found.explored = true
	config := completed(given, p.know.Minimal(), schema.Compiled)
	if e.o.unconfigured { // the configuration is not sent
		e.config = config
		return nil
	}
	e.own, e.learns, p.given = p, given == cty.NilVal, given
	e.config, err = p.accept(ctx, config)
	p.found.reported.Reached = err == nil
	if err != nil {
		p.found.reported.Unreached = err.Error()
	}
	return err
}

// completed returns the values of the hints, and the values of another configuration for everything
// at the root that the hints do not set.
func completed(given, by cty.Value, schema *objchange.Schema) cty.Value {
	if given == cty.NilVal {
		return by
	}
	fields, unset := given.AsValueMap(), schema.EmptyValue()
	for name, v := range fields {
		if v.RawEquals(unset.GetAttr(name)) {
			fields[name] = by.GetAttr(name)
		}
	}
	return cty.ObjectVal(fields)
}

// configureLimit limits the time until the provider accepts a configuration of its own.
const configureLimit = time.Minute

// accept configures the provider and returns the accepted configuration. It learns from refusals
// and tries again.
func (p *prober) accept(ctx context.Context, config cty.Value) (cty.Value, error) {
	limited, cancel := context.WithTimeout(ctx, configureLimit)
	defer cancel()
	defer p.e.count(func(p *Progress) { p.Configuring = 0 })
	accepted, err := p.learn(config, func(config cty.Value) (session.Outcome, error) {
		p.e.count(func(p *Progress) { p.Configuring++ })
		sc := p.scenario(PhaseMinimal, scenario.Step{Config: config})
		o, err := p.worker.Run(limited, sc)
		if err != nil {
			return o, err
		}
		p.note(sc, o)
		return o, p.trouble.count(o)
	})
	reason := cmp.Or(p.know.Unreached(), p.trouble.noResponse)
	switch {
	case accepted != cty.NilVal && err == nil || ctx.Err() != nil:
		return accepted, err
	case limited.Err() != nil:
		reason = fmt.Sprintf("no configuration was accepted within %s", configureLimit)
	case err != nil && !errors.As(err, new(stopError)):
		return config, err
	}
	return config, &driver.ConfigError{What: "provider configuration", Err: errors.New(reason + refusedConfig)}
}

// refusedConfig names what helps if the provider accepts no configuration of its own.
const refusedConfig = "\nThe provider has no network and no credentials. Set provider.config in the hints, " +
	"or explore it without configuration (--unconfigured)."

// maxRounds limits how often types are explored again with another configuration of the provider.
const maxRounds = 3

// retryUnreached explores the types that were not reached once more, with another configuration of
// the provider. It does so only if some types were refused because the provider's configuration
// lacks something.
func (e *explorer) retryUnreached(ctx context.Context) error {
	for range maxRounds {
		config, types := e.missingConfig()
		if len(types) == 0 {
			return nil
		}
		s := e.session()
		s.Config = cty.NilVal
		e.own.worker = s
		config, err := e.own.accept(ctx, config)
		s.Stop()
		e.requests += s.Requests
		if errors.As(err, new(*driver.ConfigError)) { // keep the configuration that was accepted before
			return nil
		}
		if err != nil {
			return err
		}
		e.config = config
		if err := e.exploreAll(ctx, types); err != nil {
			return err
		}
	}
	return nil
}

// missingConfig returns the types that were not reached and a provider configuration to try, if
// some types were refused because the current configuration lacks something.
func (e *explorer) missingConfig() (config cty.Value, types []*typeResult) {
	if !e.learns {
		return config, nil
	}
	var refused []driver.Diagnostic
	for _, f := range e.types {
		if f.reported.Reached || f.reported.Skipped != "" {
			continue
		}
		types = append(types, f)
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
	return config, types
}
