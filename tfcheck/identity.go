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

// A since is the minor version 1.N of the first release that rejects a fault. It is negative if no
// release does.
type since int

const (
	allowed   since = -2 // the fault is not reported
	unchecked since = -1 // the fault is reported, but no release rejects it
	v12       since = 12
)

// identityFaults lists which releases reject which faults. The first row that matches applies.
// docs/specification.md#147-identities has the same table.
var identityFaults = []struct {
	moment              identityMoment
	faults              []identityFault
	terraform, openTofu since
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

// identityFault returns the findings for violations that are a fault of the identity.
func (x Exchange) identityFault(fault identityFault, vs ...*objchange.Violation) []Finding {
	moment := x.identityMoment()
	for _, row := range identityFaults {
		if row.moment != always && row.moment != moment || !slices.Contains(row.faults, fault) {
			continue
		}
		first := row.terraform
		if x.Program == OpenTofu {
			first = row.openTofu
		}
		if first == allowed {
			return nil
		}
		for _, v := range vs {
			v.Severity = objchange.Rejected
			if first == unchecked || check.Before(x.Version, int(first)) {
				v.Severity = objchange.Unchecked
			}
		}
		return x.findings(SideIdentity, vs)
	}
	return nil
}

// identity checks the identity of the response, even if the response has errors. byIdentity says that
// the object was imported by identity.
func (x *exchange) identity(before, after *identityData, byIdentity bool) {
	upgrade := x.RPC == "UpgradeResourceIdentity"
	if x.Deferred || x.skipRules || x.Failed && upgrade {
		return
	}
	if after == nil || after.IdentityData == nil || upgrade && len(after.IdentityData.MsgPack)+len(after.IdentityData.JSON) == 0 {
		x.missingIdentity(byIdentity)
		return
	}
	schema := x.checker.catalog.Find(x.ctx, catalog.Identity, x.TypeName)
	if schema.Err != nil {
		x.brokenIdentity(withoutSchema, objchange.RuleInvalidInput, schema.Err)
		return
	}
	now, err := tfconv.Decode6(after.IdentityData, schema.Type)
	if err != nil {
		fault := otherType
		if errors.Is(err, tfconv.ErrMalformed) {
			fault = undecodable
		}
		x.brokenIdentity(fault, objchange.RuleTypeMismatch, err)
		return
	}
	if byIdentity && now.IsNull() {
		x.missingIdentity(byIdentity)
	}
	x.found = append(x.found, x.unknownIdentity(schema.Compiled, now)...)
	if before == nil || x.Failed {
		return
	}
	was, err := tfconv.Decode6(before.IdentityData, schema.Type)
	if err == nil && !was.IsNull() && !now.IsNull() {
		x.found = append(x.found, x.changedIdentity(schema.Compiled, was, now)...)
	}
}

// missingIdentity reports that an upgrade, or an import by identity, returned no identity.
func (x *exchange) missingIdentity(byIdentity bool) {
	switch {
	case x.Failed:
	case byIdentity:
		err := errors.New("the import was by identity, but the imported object has no identity")
		x.brokenIdentity(missing, objchange.RuleImportIdentity, err)
	case x.RPC == "UpgradeResourceIdentity":
		x.brokenIdentity(missing, objchange.RuleTypeMismatch, errors.New("the upgraded identity is missing"))
	}
}

// unknownIdentity reports unknown values of an identity.
func (x Exchange) unknownIdentity(schema *objchange.Schema, identity cty.Value) []Finding {
	fault := unknownAttribute
	if !identity.IsKnown() {
		fault = unknownWhole
	}
	return x.identityFault(fault, objchange.AssertStateValid(schema, identity)...)
}

// changedIdentity reports how an identity changed, which no program checks.
func (x Exchange) changedIdentity(schema *objchange.Schema, was, now cty.Value) []Finding {
	changed := values.Without(objchange.AssertPlanConsistent(schema, was, now), objchange.RuleInconsistentUnknown)
	for _, v := range changed {
		v.Severity = objchange.Unchecked
	}
	return x.findings(SideIdentity, changed)
}

// brokenIdentity records a fault of the identity that prevents its check.
func (x *exchange) brokenIdentity(fault identityFault, rule objchange.Rule, err error) {
	x.found = append(x.found, x.identityFault(fault, rejected(rule, err.Error())...)...)
}
