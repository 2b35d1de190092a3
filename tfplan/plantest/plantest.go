// Package plantest contains checks for acceptance tests with terraform-plugin-testing:
//
//	var cloud = &plantest.Providers{ProtoV5ProviderFactories: factories}
//
//	resource.TestStep{
//		Config:            config,
//		ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plantest.CheckPlan(cloud)}},
//		ConfigStateChecks: []statecheck.StateCheck{plantest.CheckState(cloud)},
//	}
//
// The checks apply the rules of package objchange to all objects of a plan or a state. They check
// that values conform to the schema, that a plan contains the configured values, and that the state
// contains the planned values. Terraform itself rejects most violations. The checks also report
// violations that Terraform tolerates from providers of the legacy SDK (terraform-plugin-sdk/v2).
// Terraform only logs these, so a test without the checks passes.
//
// The checks only see documents. Package tfcheck checks each request and response of a provider,
// and so finds more.
package plantest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/objchange/objchange/configschema"
	"github.com/objchange/objchange/tfplan"
)

// Providers is the source of the schemas for the checks: the factories of a [resource.TestCase], in
// fields of the same names, or a Terraform command. Use one value for all tests of a package,
// because it requests the schemas only once. It is safe for concurrent use. The fields must not
// change after the first check.
//
// [resource.TestCase]:
// https://pkg.go.dev/github.com/hashicorp/terraform-plugin-testing/helper/resource#TestCase
type Providers struct {
	ProtoV6ProviderFactories map[string]func() (tfprotov6.ProviderServer, error)
	ProtoV5ProviderFactories map[string]func() (tfprotov5.ProviderServer, error)
	ProviderFactories        map[string]func() (*schema.Provider, error)

	// Folder is a directory in which "terraform init" has installed more providers, such as those
	// in ExternalProviders, or "". The checks run "terraform providers schema -json" there. If
	// TF_ACC_TERRAFORM_PATH is set, they run that program instead of terraform.
	Folder string

	// Ignore contains the findings to ignore, each with a reason. The keys are RULE[:TYPE[:PATH]],
	// as for tfcheck.Ignore: "inconsistent-value:cloud_server:.tags*". A * matches any text. TYPE
	// is a resource type. The root of an object has the path "(root)".
	Ignore map[string]string

	once    sync.Once
	schemas *configschema.ProviderSchemas
	ignored []ignored
	err     error
	plans   sync.Map // the first plan of each step until its state is checked, then ""
}

// CheckPlan returns a check of a whole plan. It fails for each finding that Terraform rejects, or
// that Terraform tolerates only from the legacy SDK. It does not fail for findings that Terraform
// does not check, such as a write-only attribute that is a constant in the configuration.
//
// It does not check resources of providers without schemas, such as random beside the provider
// under test. The check fails if it could check no resource of the plan, or if it could not check
// all resources of a provider that has schemas.
func CheckPlan(p *Providers) plancheck.PlanCheck { return planCheck{cmp.Or(p, &Providers{})} }

// CheckState returns a check of a whole state. It fails for the same kinds of findings as
// [CheckPlan]. If CheckPlan with the same Providers is a PreApply check of the step, CheckState
// also checks that the state contains the planned values. Otherwise it checks each object alone.
func CheckState(p *Providers) statecheck.StateCheck { return stateCheck{cmp.Or(p, &Providers{})} }

type planCheck struct{ *Providers }

// CheckPlan implements plancheck.PlanCheck.
func (c planCheck) CheckPlan(ctx context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	resp.Error = c.check(ctx, func() (*tfplan.Report, error) {
		if req.Plan == nil {
			return nil, errors.New("the plan is missing")
		}
		plan, err := marshal(exactly(req.Plan, c.schemas))
		if err != nil {
			return nil, err
		}
		c.plans.LoadOrStore(ctx, plan)
		return tfplan.Check(c.schemas, strings.NewReader(plan), nil)
	})
}

type stateCheck struct{ *Providers }

// CheckState implements statecheck.StateCheck. It finds the plan by the context, because
// terraform-plugin-testing passes the same context to all checks of one step, and to no others.
func (c stateCheck) CheckState(ctx context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	resp.Error = c.check(ctx, func() (*tfplan.Report, error) {
		if req.State == nil {
			return nil, errors.New("the state is missing")
		}
		if plan, _ := c.plans.Swap(ctx, ""); plan != nil && plan != "" {
			return c.applied(plan.(string), req.State)
		}
		return c.alone(req.State)
	})
}

// alone checks each object of a state, as the prior state of a plan without changes.
func (p *Providers) alone(state *tfjson.State) (*tfplan.Report, error) {
	plan, err := marshal(&tfjson.Plan{FormatVersion: "1.0", PlannedValues: &tfjson.StateValues{}, PriorState: state})
	if err != nil {
		return nil, err
	}
	report, err := tfplan.Check(p.schemas, strings.NewReader(plan), nil)
	if err != nil {
		return nil, err
	}
	for i, r := range report.Resources {
		report.Resources[i].Reason = strings.Replace(r.Reason, "prior_state", "the state", 1)
	}
	for _, f := range report.Findings() {
		f.Document, f.Pointer = tfplan.InState, strings.TrimPrefix(f.Pointer, "/prior_state")
	}
	return report, nil
}

// applied checks a plan with the state after it was applied.
func (p *Providers) applied(plan string, state *tfjson.State) (*tfplan.Report, error) {
	text, err := marshal(state)
	if err != nil {
		return nil, err
	}
	return tfplan.Check(p.schemas, strings.NewReader(plan), strings.NewReader(text))
}

// check returns an error that lists the findings.
func (p *Providers) check(ctx context.Context, read func() (*tfplan.Report, error)) error {
	p.once.Do(func() { p.err = errors.Join(p.request(ctx), p.compile()) })
	if p.err != nil {
		return fmt.Errorf("plantest: %w", p.err)
	}
	report, err := read()
	if err != nil {
		return fmt.Errorf("plantest: %w", err)
	}
	return p.findingsError(report)
}

// findingsError returns an error that lists the findings of the report, or nil.
func (p *Providers) findingsError(report *tfplan.Report) error {
	var text bytes.Buffer
	var rules []string
	for _, r := range report.Resources {
		if r.Status == tfplan.Skipped && !r.Idle && (report.Unchecked || p.schemas.Providers[r.Provider] != nil) {
			fmt.Fprintf(&text, "%s: was not checked: %s\n", &r, r.Reason)
		}
		for _, f := range r.Findings {
			if !f.Enforced && !f.Tolerated || slices.ContainsFunc(p.ignored, func(i ignored) bool { return i.matches(r.Type, f) }) {
				continue
			}
			fmt.Fprintf(&text, "%s: %s\n  at %s of the %s\n", &r, strings.TrimPrefix(f.String(), ": "), f.Pointer, f.Document)
			if see := "see: objchange explain " + string(f.Rule) + "\n"; !slices.Contains(rules, see) {
				rules = append(rules, see)
			}
		}
	}
	if text.Len() == 0 {
		return nil
	}
	return errors.New(text.String() + strings.Join(rules, ""))
}
