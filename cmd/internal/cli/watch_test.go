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
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/objchange/objchange"
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

type fieldsOf = map[string]any

// createServer plans and applies a server, regardless of diagnostics.
func createServer(conn *grpc.ClientConn) error {
	block := serverBlock()
	ty := block.ImpliedType()
	server := withAttribute(block.EmptyValue(), "name", cty.StringVal(cmp.Or(os.Getenv("NAME"), "web")))
	server = withAttribute(server, "token", cty.StringVal("hush"))
	asProposed := must(objchange.ProposedNew(must(objchange.Compile(block)), cty.NullVal(ty), server))
	config, proposed, none := dynamic(server), dynamic(asProposed), dynamic(cty.NullVal(ty))

	if _, err := invoke(conn, "GetProviderSchema", fieldsOf{}); err != nil {
		return err
	}
	if os.Getenv("CLOUD") == "schemas" {
		return nil
	}
	plan, err := invoke(conn, "PlanResourceChange", fieldsOf{"typeName": "cloud_server", "priorState": none, "config": config, "proposedNewState": proposed})
	if err != nil {
		return err
	}
	done, err := invoke(conn, "ApplyResourceChange", fieldsOf{"typeName": "cloud_server", "priorState": none, "config": config, "plannedState": plan["plannedState"]})
	if err != nil {
		return err
	}
	var answered struct {
		Diagnostics []struct{ Severity, Summary string }
		NewState    struct{ Msgpack []byte }
	}
	if err := json.Unmarshal(must(json.Marshal(done)), &answered); err != nil {
		return err
	}
	for _, d := range answered.Diagnostics {
		fmt.Println(d.Severity+":", d.Summary)
	}
	fmt.Println("created", decode(&tfprotov6.DynamicValue{MsgPack: answered.NewState.Msgpack}).GetAttr("name").AsString())
	if os.Getenv("CLOUD") == "reads-unknown" {
		_, err = invoke(conn, "ReadResource", fieldsOf{"typeName": "cloud_server", "currentState": done["newState"]})
	}
	return err
}

func dynamic(v cty.Value) fieldsOf { return fieldsOf{"msgpack": encode(v).MsgPack} }

// invoke calls an RPC. The fields of the messages are in the form of JSON.
func invoke(conn *grpc.ClientConn, rpc string, fields fieldsOf) (fieldsOf, error) {
	request, response := message(rpc+".Request"), message(rpc+".Response")
	if err := protojson.Unmarshal(must(json.Marshal(fields)), request); err != nil {
		return nil, err
	}
	if err := conn.Invoke(context.Background(), "/tfplugin6.Provider/"+rpc, request, response); err != nil {
		return nil, err
	}
	var answered fieldsOf
	return answered, json.Unmarshal(must(protojson.Marshal(response)), &answered)
}

func message(name string) proto.Message {
	return must(protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName("tfplugin6." + name))).New().Interface()
}
