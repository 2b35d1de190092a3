// Command adapter holds terraform-plugin-framework's own planning to the corpus: to
// what a provider without opinions plans it answers with what the framework plans for
// a resource of the schema that has no defaults and no plan modifiers. The other
// questions of the corpus, the framework has no function for.
package main

import (
	"fmt"
	"os"

	"github.com/objchange/objchange/conformance"
)

func main() {
	if err := conformance.Serve(os.Stdin, os.Stdout, conformance.MessagePack{}, answer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
