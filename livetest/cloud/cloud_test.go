package cloud_test

import (
	"path/filepath"
	"testing"

	"github.com/objchange/objchange/livetest/cloud"
)

// TestNextProcessReadsStoredObjects checks that the next process reads the stored objects.
func TestNextProcessReadsStoredObjects(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cloud.json")
	var first, second cloud.Cloud
	if err := first.KeepIn(file); err != nil {
		t.Fatal(err)
	}
	kept, forgotten := first.NewID("a"), first.NewID("a")
	first.Put(kept, []byte{0, 255})
	first.Put(forgotten, nil)
	first.Forget(forgotten)
	if err := second.KeepIn(file); err != nil {
		t.Fatal(err)
	}
	if object, ok := second.Get(kept); !ok || string(object) != "\x00\xff" {
		t.Errorf("%v, %v", object, ok)
	}
	if object, ok := second.Get(forgotten); ok {
		t.Errorf("%v was forgotten", object)
	}
	if id := second.NewID("a"); id == kept || id == forgotten {
		t.Errorf("%s is not new", id)
	}
}
