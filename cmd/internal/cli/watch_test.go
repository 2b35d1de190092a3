package cli_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/driver"
)

// Scripts can run "like-init", which installs terraform-provider-cloud in the workspace. They can
// also run "like-core STATUS", which imitates Terraform with the providers in the environment. It
// creates a cloud_server with each provider, named $NAME or web, and prints the diagnostics and the
// resulting name. It reads the object if $CLOUD is reads-unknown, only requests the schemas if $CLOUD
// is schemas, and ends with the status.
func init() {
	scriptCommands["like-init"] = func() {
		if err := likeInit(); err != nil {
			panic(err)
		}
	}
	scriptCommands["like-core"] = func() {
		if err := likeCore(); err != nil {
			fmt.Fprintln(os.Stderr, "like-core:", err)
			os.Exit(1)
		}
		status, err := strconv.Atoi(os.Args[1])
		if err != nil {
			panic(err)
		}
		os.Exit(status)
	}
}

func likeInit() error {
	provider, err := exec.LookPath("terraform-provider-cloud")
	if err != nil {
		return err
	}
	dir := filepath.Join(".terraform", "providers", "example.com", "acme", "cloud", "1.0.0", runtime.GOOS+"_"+runtime.GOARCH)
	const lock = "provider \"example.com/acme/cloud\" {\n  version = \"1.0.0\"\n}\n"
	return errors.Join(os.MkdirAll(dir, 0o700), os.Symlink(provider, filepath.Join(dir, "terraform-provider-cloud")),
		os.WriteFile(".terraform.lock.hcl", []byte(lock), 0o600))
}

func likeCore() error {
	var providers map[string]struct{ Addr struct{ String string } }
	if err := json.Unmarshal([]byte(os.Getenv("TF_REATTACH_PROVIDERS")), &providers); err != nil {
		return err
	}
	for _, p := range providers {
		conn, err := grpc.NewClient("unix:"+p.Addr.String, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err == nil {
			err = errors.Join(createServer(conn), conn.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// createServer plans and applies a server, regardless of diagnostics.
func createServer(conn *grpc.ClientConn) error {
	block := serverBlock()
	ty := block.ImpliedType()
	object := withAttribute(block.EmptyValue(), "name", cty.StringVal(cmp.Or(os.Getenv("NAME"), "web")))
	object = withAttribute(object, "token", cty.StringVal("hush"))
	asProposed := must(objchange.ProposedNew(must(objchange.Compile(block)), cty.NullVal(ty), object))
	config, proposed, none := encode(object), encode(asProposed), encode(cty.NullVal(ty))

	ctx, server := context.Background(), driver.Client(conn, 6)
	if _, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{}); err != nil || os.Getenv("CLOUD") == "schemas" {
		return err
	}
	plan, err := server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: "cloud_server", PriorState: none, Config: config, ProposedNewState: proposed})
	if err != nil {
		return err
	}
	done, err := server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{TypeName: "cloud_server", PriorState: none, Config: config, PlannedState: plan.PlannedState})
	if err != nil {
		return err
	}
	for _, d := range done.Diagnostics {
		fmt.Printf("%s: %s\n", d.Severity, d.Summary)
	}
	fmt.Println("created", decode(done.NewState).GetAttr("name").AsString())
	if os.Getenv("CLOUD") == "reads-unknown" {
		_, err = server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "cloud_server", CurrentState: done.NewState})
	}
	return err
}
