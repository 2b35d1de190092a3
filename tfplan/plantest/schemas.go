package plantest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfconv"
)

// request gets the schemas of all providers. Schemas of factories replace schemas of installed
// providers.
func (p *Providers) request(ctx context.Context) error {
	p.schemas = &configschema.ProviderSchemas{Providers: map[string]*configschema.ProviderSchema{}}
	if p.Folder != "" {
		installed, err := installed(ctx, p.Folder)
		if err != nil {
			return err
		}
		if installed.Providers != nil {
			p.schemas = installed
		}
	}
	var wrong []error
	for name, factory := range p.ProtoV6ProviderFactories {
		wrong = append(wrong, p.add6(ctx, name, factory))
	}
	for name, factory := range p.ProtoV5ProviderFactories {
		wrong = append(wrong, p.add5(ctx, name, factory))
	}
	for name, factory := range p.ProviderFactories {
		wrong = append(wrong, p.add5(ctx, name, func() (tfprotov5.ProviderServer, error) {
			provider, err := factory()
			if err != nil {
				return nil, err
			}
			return provider.GRPCProvider(), nil
		}))
	}
	return errors.Join(wrong...)
}

func (p *Providers) add6(ctx context.Context, name string, factory func() (tfprotov6.ProviderServer, error)) error {
	server, err := factory()
	if err != nil {
		return err
	}
	all, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	return add(p, name, tfconv.Schema6, all.ResourceSchemas, all.DataSourceSchemas)
}

func (p *Providers) add5(ctx context.Context, name string, factory func() (tfprotov5.ProviderServer, error)) error {
	server, err := factory()
	if err != nil {
		return err
	}
	all, err := server.GetProviderSchema(ctx, &tfprotov5.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	return add(p, name, tfconv.Schema5, all.ResourceSchemas, all.DataSourceSchemas)
}

// add adds the schemas of a provider, under the address that terraform-plugin-testing gives the
// provider.
func add[S any](p *Providers, name string, convert func(*S) (*configschema.Schema, error), resources, data map[string]*S) error {
	var wrong []error
	converted := func(from map[string]*S) map[string]*configschema.Schema {
		to := map[string]*configschema.Schema{}
		for typeName, schema := range from {
			var err error
			if to[typeName], err = convert(schema); err != nil {
				wrong = append(wrong, fmt.Errorf("the schema of %s: %w", typeName, err))
			}
		}
		return to
	}
	host := cmp.Or(os.Getenv("TF_ACC_PROVIDER_HOST"), "registry.terraform.io")
	namespace := cmp.Or(os.Getenv("TF_ACC_PROVIDER_NAMESPACE"), "hashicorp")
	address := strings.TrimSuffix(host, "/") + "/" + strings.TrimSuffix(namespace, "/") + "/" + strings.TrimPrefix(name, "terraform-provider-")
	p.schemas.Providers[address] = &configschema.ProviderSchema{ResourceSchemas: converted(resources), DataSourceSchemas: converted(data)}
	return errors.Join(wrong...)
}

// installed returns the schemas of the providers that are installed in the folder.
func installed(ctx context.Context, folder string) (*configschema.ProviderSchemas, error) {
	command := exec.CommandContext(ctx, cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform"), "providers", "schema", "-json")
	command.Dir = folder
	out, err := command.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	if err != nil {
		return nil, fmt.Errorf("terraform providers schema -json in %s: %w", folder, err)
	}
	return configschema.ParseProviderSchemas(out)
}
