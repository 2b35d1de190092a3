package tfcheck

import (
	"errors"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/tfcheck/internal/catalog"
	"github.com/objchange/objchange/tfcheck/internal/check"
	"github.com/objchange/objchange/tfcheck/internal/values"
	"github.com/objchange/objchange/tfconv"
)

// An identityFault is one kind of invalid identity.
type identityFault string

const (
	missing          identityFault = "missing"           // or empty, or null after an import
	unknownWhole     identityFault = "unknown"           // as a whole
	unknownAttribute identityFault = "unknown attribute" // at least one
	otherType        identityFault = "other type"        // also with additional attributes
	undecodable      identityFault = "undecodable"       // in no type
	withoutSchema    identityFault = "without schema"    // the resource type has no identity
)

// An identityMoment is an RPC, or an RPC of one action.
type identityMoment string

const (
	always    identityMoment = ""
	atCreate  identityMoment = "plan to create or replace"
	atDestroy identityMoment = "plan or apply to destroy"
	atImport  identityMoment = "ImportResourceState"
	atMove    identityMoment = "MoveResourceState"
	atUpgrade identityMoment = "UpgradeResourceIdentity"
)

// A handling is what the releases of a program do with a fault.
type handling string

const (
	allowed   handling = "allowed"   // the fault is not reported
	unchecked handling = "unchecked" // the fault is reported, but no release rejects it
	v12       handling = "1.12"      // releases from 1.12 on reject it
)

// identityFaults lists which releases reject which faults. The first row that matches applies.
// docs/specification.md#147-identities has the same table.
var identityFaults = []struct {
	moment              identityMoment
	faults              []identityFault
	terraform, openTofu handling
}{
	{atCreate, []identityFault{unknownWhole, unknownAttribute}, allowed, v12},
	{atDestroy, []identityFault{unknownWhole, unknownAttribute}, v12, unchecked},
	{atMove, []identityFault{unknownWhole, unknownAttribute, otherType}, v12, unchecked},
	{atImport, []identityFault{unknownWhole}, allowed, v12}, // OpenTofu crashes
	{atImport, []identityFault{unknownAttribute}, allowed, allowed},
	{atImport, []identityFault{missing}, v12, unchecked}, // only if the import is by identity
	{atUpgrade, []identityFault{missing}, unchecked, v12},
	{always, []identityFault{withoutSchema}, v12, unchecked},
	{always, []identityFault{unknownWhole, unknownAttribute, otherType, undecodable}, v12, v12},
}

// identityMoment returns the moment of the exchange.
func (x Exchange) identityMoment() identityMoment {
	switch {
	case x.RPC != "PlanResourceChange" && x.RPC != "ApplyResourceChange":
		return identityMoment(x.RPC)
	case isSet(x.Config) && x.Config.IsNull():
		return atDestroy
	case x.RPC == "PlanResourceChange" && x.createsOrReplaces():
		return atCreate
	}
	return always
}

// identityFault adds findings for violations that are a fault of the identity.
func (x *exchange) identityFault(fault identityFault, vs objchange.Violations) {
	moment := x.identityMoment()
	for _, row := range identityFaults {
		if row.moment != always && row.moment != moment || !slices.Contains(row.faults, fault) {
			continue
		}
		handled := row.terraform
		if x.Program == OpenTofu {
			handled = row.openTofu
		}
		if handled == allowed {
			return
		}
		for _, v := range vs {
			v.Severity = objchange.Rejected
			if handled == unchecked || check.Before(x.Version, 12) {
				v.Severity = objchange.Unchecked
			}
		}
		x.found = append(x.found, x.findings(SideIdentity, vs)...)
		return
	}
}

// identity checks the identity of the response, even if the response has errors. byIdentity says
// that the object was imported by identity.
func (x *exchange) identity(before, after *identityData, byIdentity bool) {
	upgrade := x.RPC == "UpgradeResourceIdentity"
	if x.Deferred || x.skipRules || x.Failed && upgrade {
		return
	}
	if after == nil || after.IdentityData == nil ||
		upgrade && len(after.IdentityData.MsgPack)+len(after.IdentityData.JSON) == 0 {
		x.missingIdentity(byIdentity)
		return
	}
	schema := x.checker.catalog.Find(x.ctx, catalog.Identity, x.TypeName)
	if schema.Err != nil {
		x.identityFault(withoutSchema, rejected(objchange.RuleInvalidInput, schema.Err.Error()))
		return
	}
	now, err := tfconv.Decode6(after.IdentityData, schema.Type)
	if err != nil {
		fault := otherType
		if errors.Is(err, tfconv.ErrMalformed) {
			fault = undecodable
		}
		x.identityFault(fault, rejected(objchange.RuleTypeMismatch, err.Error()))
		return
	}
	if byIdentity && now.IsNull() {
		x.missingIdentity(byIdentity)
	}
	fault := unknownAttribute
	if !now.IsKnown() {
		fault = unknownWhole
	}
	x.identityFault(fault, objchange.AssertStateValid(schema.Compiled, now))
	if before == nil || x.Failed {
		return
	}
	was, err := tfconv.Decode6(before.IdentityData, schema.Type)
	if err == nil && !was.IsNull() && !now.IsNull() {
		x.changedIdentity(schema.Compiled, was, now)
	}
}

// missingIdentity reports that an upgrade, or an import by identity, returned no identity.
func (x *exchange) missingIdentity(byIdentity bool) {
	switch {
	case x.Failed:
	case byIdentity:
		const message = "the import was by identity, but the imported object has no identity"
		x.identityFault(missing, rejected(objchange.RuleImportIdentity, message))
	case x.RPC == "UpgradeResourceIdentity":
		x.identityFault(missing, rejected(objchange.RuleTypeMismatch, "the upgraded identity is missing"))
	}
}

// changedIdentity reports how an identity changed, which no program checks.
func (x *exchange) changedIdentity(schema *objchange.Schema, was, now cty.Value) {
	changed := values.Without(objchange.AssertPlanConsistent(schema, was, now), objchange.RuleInconsistentUnknown)
	for _, v := range changed {
		v.Severity = objchange.Unchecked
	}
	x.found = append(x.found, x.findings(SideIdentity, changed)...)
}
