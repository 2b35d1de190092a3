package livetest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkWatch is an apply that creates a thousand resources of a provider that has
// nothing to do: by the real command alone, and watched.
func BenchmarkWatch(b *testing.B) {
	terraform, err := exec.LookPath("terraform")
	if err != nil {
		b.Skip("there is no terraform on the PATH to watch")
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	count := 1000
	if testing.Short() {
		count = 100
	}
	dir := b.TempDir()
	provider := filepath.Join(dir, "terraform-provider-answers")
	if err := os.Symlink(self, provider); err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{
		"terraformrc": fmt.Sprintf("provider_installation { \n dev_overrides { \n %q = %q \n } \n }", "hashicorp/answers", dir),
		"main.tf": fmt.Sprintf(`
			resource "answers_thing" "many" {
				count  = %d
				name   = "thing-${count.index}"
				region = "north"
				size   = "small"
			}`, count),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	apply := []string{terraform, "apply", "-auto-approve", "-no-color"}
	watch := []string{filepath.Join(buildCommand(b), "objchange"), "watch", "--provider", registry + "answers=" + provider, "--"}
	for name, command := range map[string][]string{"alone": apply, "watched": append(watch, apply...)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_ = os.Remove(filepath.Join(dir, "terraform.tfstate")) // of the run before
				cmd := exec.CommandContext(b.Context(), command[0], command[1:]...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+filepath.Join(dir, "terraformrc"), "CHECKPOINT_DISABLE=1")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
				}
			}
		})
	}
}
