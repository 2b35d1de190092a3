package explore_test

import (
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
)

// TestExploreExampleOfTheReadme checks that the commands of docs/explore.md print the report in
// the README.
func TestExploreExampleOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and a provider")
	}
	t.Parallel()
	want := live.BlockOf(t, "../../README.md", "(?s)\n## Explore a provider\n.*?```\n(resource fw_.*?)```")
	report, errors, _ := live.RunCommands(t, "../../docs/explore.md") // the exit status is 1
	if report != want {
		t.Errorf("the README shows:\n%s\nprinted:\n%s\n%s", want, report, errors)
	}
}
