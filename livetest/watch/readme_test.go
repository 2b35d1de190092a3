package watch_test

import (
	"strings"
	"testing"

	"github.com/objchange/objchange/livetest/internal/live"
)

// TestWatchExampleOfTheReadme checks that the commands of docs/watch.md print the report in the
// README.
func TestWatchExampleOfTheReadme(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, "terraform")
	want := live.BlockOf(t, "../../README.md", "(?s)\n## Watch a run\n.*?```\n(sdk_.*?)```")
	out, report, err := live.RunCommands(t, "../../docs/watch.md", w.env...)
	if err != nil || report != want || !strings.Contains(out, "Apply complete!") {
		t.Errorf("%v\nthe README shows:\n%s\nprinted:\n%s\n%s", err, want, report, out)
	}
}
