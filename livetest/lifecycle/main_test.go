package lifecycle_test

import (
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
)

func TestMain(m *testing.M) { live.Main(m) }
