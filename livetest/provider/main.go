// Command provider serves a test provider, which its own name selects:
//
//   - terraform-provider-fw: the provider of terraform-plugin-framework
//   - terraform-provider-sdk: the provider of terraform-plugin-sdk
//   - terraform-provider-N: the provider of the breach with the number N
//
// If the environment contains the name of a file, the file contains the cloud of the provider.
package main

import (
	"context"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/objchange/objchange/livetest/cloud"
	"github.com/objchange/objchange/livetest/internal/live"
)

func main() {
	name := strings.TrimPrefix(filepath.Base(os.Args[0]), "terraform-provider-")
	if err := serve(name); err != nil {
		log.Fatal(err)
	}
}

func serve(name string) error {
	prefix, _, _ := strings.Cut(name, "_") // a version may follow
	b := live.Breach{TypeName: prefix}
	if n, err := strconv.Atoi(name); err == nil {
		b = live.Breaches[n]
	}
	p, err := live.NewProvider(context.Background(), b.Change, b.TypeName)
	if err != nil {
		return err
	}
	if file := os.Getenv(cloud.File); file != "" {
		if err := p.Cloud.KeepIn(file); err != nil {
			return err
		}
	}
	if p.Server5 != nil {
		return tf5server.Serve(live.Registry+name, func() tfprotov5.ProviderServer { return p.Server5 })
	}
	return tf6server.Serve(live.Registry+name, func() tfprotov6.ProviderServer { return p.Server6 })
}
