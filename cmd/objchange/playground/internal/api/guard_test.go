package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// A panic is told as a mistake of objchange, with where it was and without its value.
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
