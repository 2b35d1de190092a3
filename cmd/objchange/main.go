// Command objchange checks providers, plans and states by the rules of Terraform. See objchange
// help, and help COMMAND for each of its commands.
package main

import (
	"os"

	"github.com/objchange/objchange/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
