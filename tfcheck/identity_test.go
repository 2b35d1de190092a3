package tfcheck_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/objchange/objchange/tfcheck"
)

// Invalid identities.
var (
	unknownIdentity = identified(unknown)             // its attribute is unknown
	unknownWhole    = encodedIdentity("\xd4\x00\x00") // it is unknown as a whole
	nullIdentity    = encodedIdentity("\xc0")
	emptyIdentity   = encodedIdentity("")
	numberIdentity  = encodedIdentity("\x01")
	zonedIdentity   = encodedIdentity("\x82\xa2id\xa3i-1\xa4zone\xa1a") // with an additional attribute
	brokenIdentity  = encodedIdentity("\x81")
)

// encodedIdentity returns an identity in MessagePack.
func encodedIdentity(encoded string) *tfprotov6.ResourceIdentityData {
	return &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte(encoded)}}
}

// The requests to destroy a thing, and to upgrade its identity.
var (
	plansDestroy = &tfprotov6.PlanResourceChangeRequest{TypeName: "test_thing", PriorState: dynamic(exists2),
		PriorIdentity: identified("i-1"), Config: nothing(), ProposedNewState: nothing()}
	destroys = &tfprotov6.ApplyResourceChangeRequest{TypeName: "test_thing", PriorState: dynamic(exists2),
		PlannedIdentity: identified("i-1"), Config: nothing(), PlannedState: nothing()}
	upgradesID = &tfprotov6.UpgradeResourceIdentityRequest{TypeName: "test_thing", RawIdentity: &tfprotov6.RawState{JSON: []byte(oldIdentity)}}
)

const oldIdentity = `{"key": "i-1"}`

// noIdentities removes the identity schemas.
func noIdentities(r *tfprotov6.GetResourceIdentitySchemasResponse) { r.IdentitySchemas = nil }

// identities lists requests and responses with identities that the programs accept or reject.
var identities = []exchange{
	{"a type mismatch in a plan", on(identify[plan](zonedIdentity)), creates, "PlanResourceChange identity type-mismatch", ""},
	{"an undecodable identity in a plan", on(identify[plan](brokenIdentity)), creates, "PlanResourceChange identity type-mismatch", ""},
	{"no identity in a plan", on(identify[plan](nil)), resizes(exists2, false), "", ""},
	{"a null identity in a plan", on(identify[plan](nullIdentity)), resizes(exists2, false), "", ""},
	{"an empty identity in a plan", on(identify[plan](emptyIdentity)), resizes(exists2, false), "", ""},
	{"unknown in a plan to create", on(identify[plan](unknownIdentity)), creates, "", "PlanResourceChange identity .id state-unknown"},
	{"unknown as a whole in a plan to create", on(identify[plan](unknownWhole)), creates, "", "PlanResourceChange identity state-unknown"},
	{"unknown in a failed plan to create", on(give[plan](nil), identify[plan](unknownIdentity), fail[plan]), creates, "", "PlanResourceChange identity .id state-unknown"},
	{"unknown in a failed plan to replace", on(give[plan](nil), identify[plan](unknownIdentity), fail[plan]), resizes(exists2, false),
		"", "PlanResourceChange identity .id state-unknown"},
	{"unknown in a failed plan to update", on(give[plan](nil), identify[plan](unknownIdentity), fail[plan], func(r planResp) { r.RequiresReplace = nil }),
		resizes(exists2, false), "PlanResourceChange identity .id state-unknown", ""},
	{"unknown in a plan to destroy", on(identify[plan](unknownIdentity)), plansDestroy,
		"PlanResourceChange identity .id state-unknown", "PlanResourceChange identity .id state-unknown, unchecked"},
	{"unknown as a whole in a plan to destroy", on(identify[plan](unknownWhole)), plansDestroy,
		"PlanResourceChange identity state-unknown", "PlanResourceChange identity state-unknown, unchecked"},
	{"changed in a plan", on(identify[plan](identified("i-2"))), resizes(exists2, false), "PlanResourceChange identity .id inconsistent-value, unchecked", ""},

	{"unknown after an apply", on(identify[apply](unknownIdentity)), applies, "ApplyResourceChange identity .id state-unknown", ""},
	{"unknown after a failed apply", on(identify[apply](unknownIdentity), fail[apply]), applies, "ApplyResourceChange identity .id state-unknown", ""},
	{"unknown after an apply to destroy", on(identify[apply](unknownIdentity)), destroys,
		"ApplyResourceChange identity .id state-unknown", "ApplyResourceChange identity .id state-unknown, unchecked"},
	{"a type mismatch after an apply", on(identify[apply](numberIdentity)), applies, "ApplyResourceChange identity type-mismatch", ""},
	{"changed by an apply", on(identify[apply](identified("i-2"))), applies, "ApplyResourceChange identity .id inconsistent-value, unchecked", ""},
	{"changed by a failed apply", on(identify[apply](identified("i-2")), fail[apply]), applies, "", ""},

	{"unknown after a read", on(identify[read](unknownIdentity)), reads, "ReadResource identity .id state-unknown", ""},
	{"unknown after a failed read", on(give[read](nil), identify[read](unknownIdentity), fail[read]), reads, "ReadResource identity .id state-unknown", ""},
	{"of a type without identities", on(noIdentities), reads, "ReadResource identity invalid-input", "ReadResource identity invalid-input, unchecked"},

	{"no identity after an import by identity", on(identify[imports](nil)), byName, "ImportResourceState identity import-identity", "ImportResourceState identity import-identity, unchecked"},
	{"a null identity after an import by identity", on(identify[imports](nullIdentity)), byName,
		"ImportResourceState identity import-identity", "ImportResourceState identity import-identity, unchecked"},
	{"an empty identity after an import by identity", on(identify[imports](emptyIdentity)), byName,
		"ImportResourceState identity import-identity", "ImportResourceState identity import-identity, unchecked"},
	{"a null identity after an import by ID", on(identify[imports](nullIdentity)), byID, "", ""},
	{"unknown after an import", on(identify[imports](unknownIdentity)), byID, "", ""},
	{"unknown as a whole after an import, on which OpenTofu crashes", on(identify[imports](unknownWhole)), byID, "", "ImportResourceState identity state-unknown"},
	{"a type mismatch after an import", on(identify[imports](numberIdentity)), byName, "ImportResourceState identity type-mismatch", ""},

	{"unknown after a move", on(identify[move](unknownIdentity)), moves, "MoveResourceState identity .id state-unknown", "MoveResourceState identity .id state-unknown, unchecked"},
	{"unknown as a whole after a move", on(identify[move](unknownWhole)), moves, "MoveResourceState identity state-unknown", "MoveResourceState identity state-unknown, unchecked"},
	{"another type after a move", on(identify[move](numberIdentity)), moves, "MoveResourceState identity type-mismatch", "MoveResourceState identity type-mismatch, unchecked"},
	{"of a type without identities, after a move", on(noIdentities, identify[move](identified("i-1"))), moves,
		"MoveResourceState identity invalid-input", "MoveResourceState identity invalid-input, unchecked"},
	{"an undecodable identity after a move", on(identify[move](brokenIdentity)), moves, "MoveResourceState identity type-mismatch", ""},
	{"a deep identity after a move", on(identify[move](encodedIdentity(strings.Repeat("\x91", 1000)))), moves, "MoveResourceState identity type-mismatch", ""},
	{"an identity with a false length after a move", on(identify[move](encodedIdentity("\xdd\xff\xff\xff\xff"))), moves, "MoveResourceState identity type-mismatch", ""},

	{"upgraded", on(), upgradesID, "", ""},
	{"unknown after an upgrade", on(identify[upgradeID](unknownIdentity)), upgradesID, "UpgradeResourceIdentity identity .id state-unknown", ""},
	{"unknown as a whole after an upgrade", on(identify[upgradeID](unknownWhole)), upgradesID, "UpgradeResourceIdentity identity state-unknown", ""},
	{"another type after an upgrade", on(identify[upgradeID](numberIdentity)), upgradesID, "UpgradeResourceIdentity identity type-mismatch", ""},
	{"no identity after an upgrade", on(identify[upgradeID](nil)), upgradesID,
		"UpgradeResourceIdentity identity type-mismatch, unchecked", "UpgradeResourceIdentity identity type-mismatch"},
	{"an empty identity after an upgrade", on(identify[upgradeID](emptyIdentity)), upgradesID,
		"UpgradeResourceIdentity identity type-mismatch, unchecked", "UpgradeResourceIdentity identity type-mismatch"},
	{"a null identity after an upgrade", on(identify[upgradeID](nullIdentity)), upgradesID, "", ""},
	{"a failed upgrade", on(identify[upgradeID](nil), fail[upgradeID]), upgradesID, "", ""},
}

// TestIdentitiesAreReportedAsRejected checks that the checking servers and package encoded report
// the identities that a program rejects, and that Terraform 1.11 and earlier reject none.
func TestIdentitiesAreReportedAsRejected(t *testing.T) {
	for _, x := range identities {
		t.Run(x.does, func(t *testing.T) {
			for _, test := range []struct {
				program tfcheck.Program
				version string
				want    string
			}{
				{"", "", x.want},
				{tfcheck.Terraform, "1.17.0-dev", x.want},
				{tfcheck.Terraform, "1.12.0", x.want},
				{tfcheck.Terraform, "1.11.4", unchecked(x.want)},
				{tfcheck.OpenTofu, "", x.wantOpenTofu()},
				{tfcheck.OpenTofu, "1.12.6", x.wantOpenTofu()},
			} {
				x.check(t, test.program, test.version, test.want)
			}
		})
	}
}

// unchecked returns the findings with the severity Unchecked.
func unchecked(findings string) string {
	all := strings.Split(strings.ReplaceAll(findings, ", unchecked", ""), "; ")
	return strings.TrimPrefix(strings.Join(all, ", unchecked; ")+", unchecked", ", unchecked")
}
