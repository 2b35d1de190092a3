package fwserver

import (
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/objchange/objchange/tfconv"
)

// ProposedNewState returns the state that Terraform Core proposes for the prior state and the
// configuration of a resource.
func (s *Server) ProposedNewState(proposer *tfconv.Proposer, prior tfsdk.State, config tfsdk.Config) (tfsdk.Plan, error) {
	proposed, err := proposer.ProposedNew(prior.Raw, config.Raw)
	return tfsdk.Plan{Schema: config.Schema, Raw: proposed}, err
}
