package objchange_test

import (
	"slices"

	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/configschema"
	. "github.com/objchange/objchange/internal/testcty"
)

// validUpdate returns the artifacts of an update of a server without violations.
func validUpdate() objchange.Lifecycle {
	prior := serverValue(`{"name": "web", "id": "i-1", "image": "debian", "disk": [{"size": 10, "device": "sda"}]}`)
	return objchange.Lifecycle{
		Schema:         server,
		Upgraded:       prior,
		Prior:          prior,
		Config:         serverValue(`{"name": "?", "disk": [{"size": 10, "device": null}, {"size": 50, "device": null}]}`),
		InitialPlanned: serverValue(`{"name": "?", "id": "i-1", "image": "?", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "?"}]}`),
		FinalConfig:    serverValue(`{"name": "db", "disk": [{"size": 10, "device": null}, {"size": 50, "device": null}]}`),
		FinalPlanned:   serverValue(`{"name": "db", "id": "i-1", "image": "?", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "?"}]}`),
		New:            serverValue(`{"name": "db", "id": "i-1", "image": "ubuntu", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "sdb"}]}`),
	}
}

// TestEachLifecycleCheckHasItsPhase checks specification.md#135-a-whole-lifecycle: each check whose inputs
// are present, and its phase.
func TestEachLifecycleCheckHasItsPhase(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*objchange.Lifecycle)
		want  []string
	}{
		{"config: not valid", func(l *objchange.Lifecycle) {
			l.Config = serverValue(`{"name": "?", "id": "i-1", "disk": [{"size": 10, "device": null}, {"size": 50, "device": null}]}`)
		}, wrong("config: .id config-computed-only", "config: .id inconsistent-value")},
		{"config: final configuration not valid", func(l *objchange.Lifecycle) {
			l.FinalConfig = serverValue(`{"disk": [{"size": 10, "device": null}, {"size": 50, "device": null}]}`)
		}, wrong("config: .name config-required", "replan: .name plan-not-computed")},
		{"config: not consistent", func(l *objchange.Lifecycle) {
			l.Config = serverValue(`{"name": "x", "disk": [{"size": 10, "device": null}, {"size": 50, "device": null}]}`)
		}, wrong("config: .name inconsistent-value", "plan: .name plan-not-config")},
		{"config: not wholly known at apply", func(l *objchange.Lifecycle) { l.FinalConfig = l.Config },
			wrong("config: .name config-unknown", "replan: .name plan-not-config")},
		{"upgrade: unknown", func(l *objchange.Lifecycle) { l.Upgraded = serverValue(`{"id": "?"}`) },
			wrong("upgrade: .id state-unknown")},
		{"import: unknown", func(l *objchange.Lifecycle) { l.Imported = serverValue(`{"id": "?"}`) },
			wrong("import: .id state-unknown?")},
		{"read: unknown", func(l *objchange.Lifecycle) {
			l.Prior = serverValue(`{"name": "web", "id": "i-1", "image": "?", "disk": [{"size": 10, "device": "sda"}]}`)
		}, wrong("read: .image state-unknown")},
		{"plan: not as configured", func(l *objchange.Lifecycle) {
			l.InitialPlanned = serverValue(`{"name": "?", "id": "i-1", "image": "?", "token": "x", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "?"}]}`)
		}, wrong("plan: .token plan-not-computed", "replan: .token inconsistent-sensitive")},
		{"plan: not enforced in sets", func(l *objchange.Lifecycle) {
			l.InitialPlanned = serverValue(`{"name": "?", "id": "i-1", "image": "?", "disk": [{"size": 11, "device": "sda"}, {"size": 50, "device": "?"}]}`)
		}, wrong("plan: .disk plan-set-element?", "replan: .disk inconsistent-set-element")},
		{"replan: not as configured", func(l *objchange.Lifecycle) {
			l.FinalPlanned = serverValue(`{"name": "xx", "id": "i-1", "image": "?", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "?"}]}`)
		}, wrong("replan: .name plan-not-config", "apply: .name inconsistent-value")},
		{"replan: not as planned", func(l *objchange.Lifecycle) {
			l.FinalPlanned = serverValue(`{"name": "db", "id": "?", "image": "?", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "?"}]}`)
		}, wrong("replan: .id inconsistent-unknown")},
		{"replan: final plan null", func(l *objchange.Lifecycle) { l.FinalPlanned = cty.NullVal(server.ImpliedType()) },
			wrong("replan:  inconsistent-presence", "replan:  plan-absent", "apply:  inconsistent-presence")},
		{"apply: not as planned", func(l *objchange.Lifecycle) {
			l.New = serverValue(`{"name": "db", "id": "i-2", "image": "?", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "sdb"}]}`)
		}, wrong("apply: .id inconsistent-value", "apply: .image state-unknown")},
		{"apply: without a final plan, compared with the initial plan", func(l *objchange.Lifecycle) {
			l.FinalConfig, l.FinalPlanned = cty.NilVal, cty.NilVal
			l.New = serverValue(`{"name": "db", "id": "i-2", "image": "a", "disk": [{"size": 10, "device": "sda"}, {"size": 50, "device": "sdb"}]}`)
		}, wrong("apply: .id inconsistent-value")},
		{"apply: without any plan", func(l *objchange.Lifecycle) {
			*l = objchange.Lifecycle{Schema: server, New: serverValue(`{"id": "?"}`)}
		}, wrong("apply: .id state-unknown")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run := validUpdate()
			test.spoil(&run)
			ExpectPhases(t, run, test.want...)
		})
	}
}

// TestLifecycleChecksOnlyWhatIsThere checks specification.md#135-a-whole-lifecycle: checks with absent
// artifacts are skipped, and are not reported as unusable input.
func TestLifecycleChecksOnlyWhatIsThere(t *testing.T) {
	bad := serverValue(`{"name": "xx", "token": "x", "id": "i-9", "image": "?"}`)
	tests := []struct {
		name string
		run  objchange.Lifecycle
		want []string
	}{
		{"a plan without prior", objchange.Lifecycle{Config: serverValue(`{"name": "web"}`), InitialPlanned: bad},
			wrong("plan: .name plan-not-config", "plan: .token plan-not-computed")},
		{"a plan without config", objchange.Lifecycle{Prior: nothing, InitialPlanned: bad}, nil},
		{"a second plan whose config was not known", objchange.Lifecycle{Prior: nothing, Config: serverValue(`{"name": "?"}`), FinalPlanned: bad}, nil},
		{"a second plan whose config was known", objchange.Lifecycle{Prior: nothing, Config: serverValue(`{"name": "web"}`), FinalPlanned: bad},
			wrong("replan: .name plan-not-config", "replan: .token plan-not-computed")},
		{"two plans without config", objchange.Lifecycle{InitialPlanned: serverValue(`{"name": "web", "id": "?", "image": "?"}`), FinalPlanned: bad},
			wrong("replan: .name inconsistent-value", "replan: .token inconsistent-sensitive")},
		{"a config of another type", objchange.Lifecycle{Prior: nothing, Config: Str("a"), InitialPlanned: serverValue(`{}`)},
			wrong("config:  type-mismatch", "plan:  type-mismatch")},
		{"only prior", objchange.Lifecycle{Prior: bad}, wrong("read: .image state-unknown")},
		{"only the final config", objchange.Lifecycle{FinalConfig: serverValue(`{"id": "i-1"}`)},
			wrong("config: .id config-computed-only", "config: .name config-required")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.run.Schema = server
			ExpectPhases(t, test.run, test.want...)
		})
	}
	Expect(t, objchange.Lifecycle{}.Check(), " invalid-input")
	ExpectPhases(t, objchange.Lifecycle{Schema: server, Prior: cty.DynamicVal, Config: bad, InitialPlanned: Str("a")},
		"config: .id config-computed-only", "read:  state-unknown", "plan:  invalid-input")
}

// TestDeletionLeavesNothing checks that a deletion must plan null and leave null.
func TestDeletionLeavesNothing(t *testing.T) {
	state, null := serverValue(`{"name": "web", "id": "i-1", "image": "debian"}`), cty.NullVal(server.ImpliedType())
	run := objchange.Lifecycle{Schema: server, Prior: state, Config: null, InitialPlanned: state, New: null}
	ExpectPhases(t, run, "plan:  plan-present", "apply:  inconsistent-presence")
	run.InitialPlanned, run.New = null, state
	ExpectPhases(t, run, "apply:  inconsistent-presence")
	run.FinalConfig, run.New = serverValue(`{"name": "web"}`), null
	ExpectPhases(t, run, "config:  inconsistent-value")
}

// TestLifecycleReportsOnceInAPhase checks specification.md#72-order: the same rule at the same path is
// reported once in a phase.
func TestLifecycleReportsOnceInAPhase(t *testing.T) {
	run := objchange.Lifecycle{Schema: server, Config: serverValue(`{}`), FinalConfig: serverValue(`{}`), Upgraded: serverValue(`{"id": "?"}`), Prior: serverValue(`{"id": "?"}`)}
	ExpectPhases(t, run, "config: .name config-required", "upgrade: .id state-unknown", "read: .id state-unknown")
}

// TestMarksOfOneArtifactHideInAll checks specification.md#73-hidden-values: a value that is marked
// in one artifact is hidden in all messages.
func TestMarksOfOneArtifactHideInAll(t *testing.T) {
	schema := SchemaOf(Attr(cty.Map(cty.String), "optional"))
	was, now := ObjectOf(MapOf(Obj{"canary": Str("a")})), ObjectOf(MapOf(Obj{"canary": Str("b")}))
	run := objchange.Lifecycle{Schema: Compiled(schema), InitialPlanned: was, New: now}
	ExpectPhases(t, run, `apply: .v["canary"] inconsistent-value`)
	run.Upgraded = ObjectOf(MapOf(Obj{"canary": Str("a")}).Mark("m"))
	ExpectPhases(t, run, "apply: .v[(sensitive)] inconsistent-value")
}

// TestToleranceOfRules checks Lifecycle.Tolerates for all rules and phases, and its exceptions for the
// object as a whole. Info().Tolerated is compared with the table of the specification.
func TestToleranceOfRules(t *testing.T) {
	for _, rule := range append(objchange.Rules(), "plan-of-mine", "inconsistent-of-mine") {
		for _, phase := range []objchange.Phase{objchange.PhaseUpgrade, objchange.PhasePlan, objchange.PhaseReplan, objchange.PhaseApply, ""} {
			want := slices.Contains(rule.Info().Tolerated, phase)
			v := objchange.Violation{Rule: rule, Severity: objchange.Rejected, Phase: phase, Path: cty.GetAttrPath("v")}
			if got := (objchange.Lifecycle{}).Tolerates(&v); got != want {
				t.Errorf("%s in %q at %s: %v", rule, phase, v.PathString(), got)
			}
			v.Path = nil
			for deleting, config := range map[bool]cty.Value{false: cty.NilVal, true: NoItem} {
				whole := want
				switch rule {
				case objchange.RulePlanPresent:
					whole = false
				case objchange.RulePlanUnknownBlock, objchange.RuleInconsistentPresence: // there is an object
					whole = want && !deleting
				}
				if got := (objchange.Lifecycle{Config: config}).Tolerates(&v); got != whole {
					t.Errorf("%s in %q of the whole object, deleting %t: %v", rule, phase, deleting, got)
				}
			}
		}
	}
	unchecked := &objchange.Violation{Rule: objchange.RulePlanNotConfig, Severity: objchange.Unchecked, Phase: objchange.PhasePlan, Path: cty.GetAttrPath("v")}
	if (objchange.Lifecycle{}).Tolerates(nil) || (objchange.Lifecycle{}).Tolerates(unchecked) {
		t.Error("no violation, or one that Core does not check, is tolerated")
	}
}

// TestPresenceOfTheWholeObjectIsNotTolerated checks specification.md#74-tolerance-for-the-legacy-sdk: a wrong
// presence of the whole object is not tolerated, but a wrong presence of a block is.
func TestPresenceOfTheWholeObjectIsNotTolerated(t *testing.T) {
	schema := &configschema.Block{
		Attributes: Attrs{"name": Attr(cty.String, "optional")},
		BlockTypes: Blocks{"v": Block(configschema.NestingSingle, ItemAttrs)},
	}
	empty := schema.BlockTypes["v"].EmptyValue()
	full := Object(Obj{"name": Str("a"), "v": Object(Obj{"id": NoStr, "name": Str("a")})})
	bare := Object(Obj{"name": Str("a"), "v": empty})
	nothing := cty.NullVal(cty.DynamicPseudoType)
	for name, c := range map[string]struct {
		prior, config, planned, applied cty.Value
		want                            []string
	}{
		"a plan that is not null for a delete":          {bare, nothing, bare, cty.NilVal, wrong("plan:  plan-present")},
		"an object after a delete":                      {bare, nothing, nothing, bare, wrong("apply:  inconsistent-presence")},
		"null after a create":                           {nothing, bare, bare, nothing, wrong("apply:  inconsistent-presence")},
		"a block that is not planned":                   {nothing, full, bare, cty.NilVal, wrong("plan: .v plan-absent?")},
		"a planned block that is absent":                {nothing, full, full, bare, wrong("apply: .v inconsistent-presence?")},
		"null planned for a create":                     {nothing, bare, nothing, cty.NilVal, wrong("plan:  plan-absent?")},
		"null planned for a create, an object after it": {nothing, bare, nothing, bare, wrong("plan:  plan-absent?", "apply:  inconsistent-presence?")},
		"unknown planned for a delete":                  {bare, nothing, cty.UnknownVal(bare.Type()), cty.NilVal, wrong("plan:  plan-unknown-block")},
		"unknown planned for an update":                 {bare, bare, cty.UnknownVal(bare.Type()), cty.NilVal, wrong("plan:  plan-unknown-block?")},
		"null planned for a create, null after it":      {nothing, bare, nothing, nothing, wrong("plan:  plan-absent?", "apply:  inconsistent-presence")},
	} {
		t.Run(name, func(t *testing.T) {
			ExpectPhases(t, objchange.Lifecycle{
				Schema: Compiled(schema), Prior: c.prior, Config: c.config, InitialPlanned: c.planned, New: c.applied, LegacyTypeSystem: true,
			}, c.want...)
		})
	}
}

// TestImportedStateMayHaveUnknownValues checks specification.md#143-read-upgrade-move-and-import: Core checks only
// the write-only attributes of the imported state.
func TestImportedStateMayHaveUnknownValues(t *testing.T) {
	schema := SchemaOf(Nested(configschema.NestingSingle, "optional", Attrs{"a": Attr(cty.String, "computed"), "wo": Attr(cty.String, "optional writeonly")}))
	stub := ObjectOf(Object(Obj{"a": UnknownStr, "wo": Str("x")}))
	ExpectPhases(t, objchange.Lifecycle{Schema: Compiled(schema), Imported: stub},
		"import: .v.a state-unknown?", "import: .v.wo write-only-not-null")
}

// TestTolerationDependsOnConfigurationOrPlan checks that the tolerated action depends on the
// configurations or, without them, on the plans: for a delete, Core does not tolerate an unknown
// plan.
func TestTolerationDependsOnConfigurationOrPlan(t *testing.T) {
	unknown := &objchange.Violation{Rule: objchange.RulePlanUnknownBlock, Severity: objchange.Rejected, Phase: objchange.PhasePlan}
	null, some := NoItem, Item(NoStr, NoStr)
	for name, row := range map[string]struct {
		run  objchange.Lifecycle
		want bool
	}{
		"without configuration and plan":        {objchange.Lifecycle{Prior: null, New: null}, false},
		"configuration null":                    {objchange.Lifecycle{Config: null, InitialPlanned: some}, true},
		"final configuration null":              {objchange.Lifecycle{FinalConfig: null}, true},
		"configured, and planned null":          {objchange.Lifecycle{Config: some, InitialPlanned: null, New: null}, false},
		"planned null without configuration":    {objchange.Lifecycle{InitialPlanned: null}, true},
		"final plan null without configuration": {objchange.Lifecycle{FinalPlanned: null}, true},
		"planned without configuration":         {objchange.Lifecycle{InitialPlanned: some, FinalPlanned: some}, false},
	} {
		if deletes := !row.run.Tolerates(unknown); deletes != row.want {
			t.Errorf("%s: %t", name, deletes)
		}
	}
}
