package literals_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/objchange/objchange/tfcheck"
)

func checkedTest(t *testing.T, c resource.TestCase) {
	t.Helper()
	resource.Test(t, tfcheck.Case(c, tfcheck.Reject))
}

func checkedParallelTest(t *testing.T, c resource.TestCase) {
	t.Helper()
	resource.ParallelTest(t, tfcheck.Case(c, tfcheck.Reject))
}

func checkedUnitTest(t *testing.T, c resource.TestCase) {
	t.Helper()
	resource.UnitTest(t, tfcheck.Case(c, tfcheck.Reject))
}
