package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestGuarded checks that the answer for a panic has the stack, and not the value of the panic.
func TestGuarded(t *testing.T) {
	text := guarded(func() answer { panic("canary") })
	var got struct {
		Status int
		Errors []failure
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if e := got.Errors[0]; got.Status != unusable || e.Kind != mistake || !strings.Contains(e.Stack, "TestGuarded") {
		t.Errorf("%s", text)
	}
	if strings.Contains(string(text), "canary") {
		t.Errorf("shows what was panicked with: %s", text)
	}
}
