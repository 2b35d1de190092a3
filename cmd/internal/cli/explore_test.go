package cli_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/zclconf/go-cty/cty"
)

// Scripts can run terraform-provider-sky, which has two resource types like cloud_server. $SKY
// lists its faults, see the methods of sky. "exec isolated" removes the note on missing isolation,
// which depends on the system. tofu-without-errors is an OpenTofu that accepts everything.
func init() {
	scriptCommands["terraform-provider-sky"] = func() {
		server := &sky{newCloud(os.Getenv("SKY"))}
		if err := tf6server.Serve("example.com/acme/sky", func() tfprotov6.ProviderServer { return server }); err != nil {
			os.Exit(1)
		}
	}
	scriptCommands["tofu-without-errors"] = func() {
		if os.Args[1] == "version" {
			fmt.Println("OpenTofu v1.12.0")
		}
	}
	scriptCommands["isolated"] = func() {
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			panic(err)
		}
		fmt.Print(isolation.ReplaceAllString(string(text), ""))
	}
}

var isolation = regexp.MustCompile("(?m)^.*the provider was started with less isolation than usual.*\n")

// A sky is a cloud whose plans can have more faults.
type sky struct{ *cloud }

func (s *sky) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{
		Provider:        regionSchema,
		ResourceSchemas: map[string]*tfprotov6.Schema{"sky_balloon": serverSchema, "sky_kite": serverSchema},
	}, nil
}

func (s *sky) ValidateResourceConfig(_ context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp := &tfprotov6.ValidateResourceConfigResponse{}
	if req.TypeName == "sky_kite" {
		resp.Diagnostics = s.refusal("refuses-kites")
	}
	return resp, nil
}

func (s *sky) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if s.will("hangs") && req.TypeName == "sky_kite" {
		select {}
	}
	resp, err := s.cloud.PlanResourceChange(ctx, req)
	planned := decode(resp.PlannedState)
	if planned.IsNull() {
		return resp, err
	}
	if name := planned.GetAttr("name"); s.will("shouts") && name.IsKnown() && !name.IsNull() {
		resp.PlannedState = encode(withAttribute(planned, "name", cty.StringVal(name.AsString()+"!")))
	}
	if size := planned.GetAttr("size"); s.will("falls") && req.TypeName == "sky_kite" && size.IsKnown() && !size.IsNull() && size.LessThan(cty.Zero).True() {
		i, _ := size.AsBigFloat().Int64()
		_ = make([]byte, 1)[i]
	}
	//lint:ignore SA1019 what is deprecated is tolerated
	resp.UnsafeToUseLegacyTypeSystem = s.will("is-legacy")
	return resp, err
}

func (s *sky) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if s.will("clings") && decode(req.PlannedState).IsNull() {
		select {}
	}
	return s.cloud.ApplyResourceChange(ctx, req)
}
