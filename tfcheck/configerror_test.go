package tfcheck_test

import (
	"errors"
	"testing"

	"github.com/objchange/objchange/ctydata"
	"github.com/objchange/objchange/tfcheck/driver"
)

func TestConfigError(t *testing.T) {
	d, err := driver.New6(t.Context(), &fake{schema: configurable})
	if err != nil {
		t.Fatal(err)
	}
	invalid := new(driver.ConfigError)
	if err := d.Configure(t.Context(), 1); !errors.As(err, &invalid) || invalid.What != "provider configuration" {
		t.Errorf("%v", err)
	}
	if err := d.Configure(t.Context(), 1); !errors.As(err, new(*ctydata.ValueError)) {
		t.Errorf("%v has no place", err)
	}
}
