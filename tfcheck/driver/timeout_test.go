package driver

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/objchange/objchange/tfcheck/internal/testprovider"
)

// TestSchemaTimeout checks that a provider that never returns its schemas is not waited for.
func TestSchemaTimeout(t *testing.T) {
	before := schemaTimeout
	t.Cleanup(func() { schemaTimeout = before })
	schemaTimeout = 10 * time.Millisecond
	_, err := New6(t.Context(), &testprovider.Server6{Answer: func(ctx context.Context, rpc string, _ any) (any, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}})
	if err == nil || !strings.HasSuffix(err.Error(), "GetProviderSchema: no schemas within 10ms") {
		t.Errorf("got error %v", err)
	}
}
