package session

import "testing"

func TestFrameSkipsTheStandardLibrary(t *testing.T) {
	for want, trace := range map[string]string{
		"main.(*server).plan":                    "panic: x\n\ngoroutine … [running]:\npanic({0x…?, 0x…?})\n\t/go/panic.go:1 +0x…\nmain.(*server).plan(0x…)\n\t/a.go:2\ngithub.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server.(*server).PlanResourceChange(0x…)\n",
		"github.com/acme/cloud/internal.plan":    "encoding/json.(*decodeState).object(0x…)\n\t/b.go\ngithub.com/acme/cloud/internal.plan({0x…})\n",
		"github.com/acme/cloud/v2.(*disk).Get":   "internal/bytealg.MakeNoZero(0x…)\nstrings.Repeat(...)\ngithub.com/acme/cloud/v2.(*disk).Get(...)\n",
		"github.com/zclconf/go-cty/cty.Value.Lt": "github.com/zclconf/go-cty/cty.Value.Lt(...)\nruntime/debug.Stack()\n",
		"":                                       "exit status 2",
	} {
		if got := Frame(trace); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestOnlyRuntimeErrorsRemain checks that only the texts of runtime errors remain.
func TestOnlyRuntimeErrorsRemain(t *testing.T) {
	for text, want := range map[string]string{
		"stderr:\npanic: a secret\nof two lines\n\ngoroutine 1 [running]:\nmain.main()": "stderr:\npanic\n\ngoroutine 1 [running]:\nmain.main()",
		"panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:":        "panic: runtime error: index out of range [3]\n\ngoroutine 1 [running]:",
		"panic: a secret":    "panic",
		"cannot listen: EOF": "cannot listen: EOF",
	} {
		if got := WithoutPanics(text); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}
