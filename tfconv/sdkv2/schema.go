package sdkv2

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfconv"
)

// Resource returns the schema of a resource or a data source as Terraform gets
// it, with its version, the attribute id and the block timeouts that the SDK adds.
//
// The error says that the resource is nil, what the SDK cannot make a schema of,
// or what is wrong with the schema: see tfconv.Schema5. Nothing asks for the
// SDK's InternalValidate, which wants functions too. DefaultFuncs are called, as
// the SDK does it. The cost is that of the schema, several times: keep the result.
func Resource(r *schema.Resource) (*objchange.Schema, error) {
	if r == nil {
		return nil, errors.New("the resource is nil")
	}
	served, err := served(r.ProtoSchema(context.Background()))
	if err != nil {
		return nil, err
	}
	return tfconv.Schema5(served)
}

// Identity returns the schema of the resource's identity, as
// tfconv.IdentitySchema5 does. The errors are those of [Resource], and that the
// resource has no identity.
func Identity(r *schema.Resource) (*objchange.Schema, error) {
	if r == nil {
		return nil, errors.New("the resource is nil")
	}
	if r.Identity == nil {
		return nil, errors.New("the resource has no identity")
	}
	served, err := served(r.ProtoIdentitySchema(context.Background()))
	if err != nil {
		return nil, err
	}
	return tfconv.IdentitySchema5(served)
}

// SchemaMap returns what the schemas of a provider's own configuration, or of a
// block's content, mean as a block: Schema of schema.Provider, or an InternalMap.
// Nothing is added to it. No schemas at all are an empty block. The errors are
// those of [Resource].
func SchemaMap(schemas map[string]*schema.Schema) (*objchange.Block, error) {
	server := schema.NewGRPCProviderServer(&schema.Provider{Schema: schemas})
	var wrong error
	response, err := served(func() (response *tfprotov5.GetProviderSchemaResponse) {
		response, wrong = server.GetProviderSchema(context.Background(), &tfprotov5.GetProviderSchemaRequest{})
		return response
	})
	if err := errors.Join(err, wrong); err != nil {
		return nil, err
	}
	return tfconv.Block5(response.Provider.Block)
}

// served returns what the SDK makes, which panics on schemas that no provider
// should have.
func served[S any](do func() S) (made S, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the SDK cannot make a schema of it: %v", problem)
		}
	}()
	return do(), nil
}
