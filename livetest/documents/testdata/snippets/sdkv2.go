// Package snippet declares what the code for SDK v2 in docs/rules uses: the
// servers of a cloud, and the client of its API.
package snippet

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/retry"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/structure"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
)

type attributes = map[string]*schema.Schema

// What is inside of blocks.
var stepResource, diskResource *schema.Resource

// The API answers with what it made of its input.
type client struct{}

type apiServer struct {
	ID, Name, Token string
	Tags            map[string]string
	Zones           []string
	Steps           []apiStep
}

type apiStep struct {
	Title     string
	IsDefault bool
}

func (*client) Create(context.Context, *schema.ResourceData) (*apiServer, error) { return nil, nil }
func (*client) Get(context.Context, string) (*apiServer, error)                  { return nil, nil }

func isNotFound(error) bool { return false }

func withDefaults(steps []any) []any { return steps }

func refreshServer(context.Context, *schema.ResourceData, any) diag.Diagnostics { return nil }
