package tfcheck_test

import (
	"errors"
	"testing"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck"
)

func TestConfigError(t *testing.T) {
	driver, err := tfcheck.NewDriver6(t.Context(), &fake{schema: configurable})
	if err != nil {
		t.Fatal(err)
	}
	invalid := new(tfcheck.ConfigError)
	if err := driver.Configure(t.Context(), 1); !errors.As(err, &invalid) || invalid.What != "provider configuration" {
		t.Errorf("%v", err)
	}
	if err := driver.Configure(t.Context(), 1); !errors.As(err, new(*ctydata.ValueError)) {
		t.Errorf("%v has no place", err)
	}
}
