package livetest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// answers is a provider of nothing but answers: plans and states are what is proposed
// and planned.
type answers struct{ tfprotov6.ProviderServer }

func (answers) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	thing := &tfprotov6.SchemaBlock{}
	for _, name := range []string{"name", "region", "size"} {
		thing.Attributes = append(thing.Attributes, &tfprotov6.SchemaAttribute{Name: name, Type: tftypes.String, Optional: true})
	}
	return &tfprotov6.GetProviderSchemaResponse{
		Provider:        &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}},
		ResourceSchemas: map[string]*tfprotov6.Schema{"answers_thing": {Block: thing}},
	}, nil
}

func (answers) ValidateProviderConfig(_ context.Context, r *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: r.Config}, nil
}

func (answers) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (answers) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (answers) PlanResourceChange(_ context.Context, r *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: r.ProposedNewState}, nil
}

func (answers) ApplyResourceChange(_ context.Context, r *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{NewState: r.PlannedState}, nil
}

func (answers) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

// BenchmarkWatch is an apply that creates a thousand resources of a provider that has
// nothing to do: by the real command alone, and watched.
func BenchmarkWatch(b *testing.B) {
	terraform, err := exec.LookPath("terraform")
	if err != nil {
		b.Skip("there is no terraform on the PATH to watch")
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	provider := filepath.Join(dir, "terraform-provider-answers")
	if err := os.Symlink(self, provider); err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"terraformrc": fmt.Sprintf("provider_installation { \n dev_overrides { \n %q = %q \n } \n }", "hashicorp/answers", dir),
		"main.tf": `
			resource "answers_thing" "many" {
				count  = 1000
				name   = "thing-${count.index}"
				region = "north"
				size   = "small"
			}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	apply := []string{terraform, "apply", "-auto-approve", "-no-color"}
	watch := []string{filepath.Join(buildCommand(b), "objchange"), "watch", "--provider", registry + "answers=" + provider, "--"}
	for name, command := range map[string][]string{"alone": apply, "watched": append(watch, apply...)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_ = os.Remove(filepath.Join(dir, "terraform.tfstate")) // of the run before
				cmd := exec.CommandContext(b.Context(), command[0], command[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(dir, "terraformrc"), "CHECKPOINT_DISABLE=1")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
				}
			}
		})
	}
}
