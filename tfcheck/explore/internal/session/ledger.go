package session

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/objchange/objchange/tfcheck/driver"
)

// A Leftover is an object that was created and could not be destroyed, or that may have been
// created.
type Leftover struct {
	Type  string              `json:"type"`
	ID    string              `json:"id,omitempty"`
	Why   string              `json:"why"`
	State *driver.StateObject `json:"-"` // contains sensitive values; nil if the provider returned no state
}

// A Ledger lists the objects that exist because explore created them. It also stores them in a
// file, so nothing is lost if the process ends. The file exists while there are objects. A nil
// ledger is always empty.
type Ledger struct {
	File    string // "" if there is no file
	address string // of the provider

	mu   sync.Mutex
	live map[*driver.Instance]Leftover // those without a state may exist
	err  error                         // first error of writing the file
}

// Open returns an error if the file exists or cannot be created.
func (l *Ledger) Open(address string) error {
	l.address, l.live = address, map[*driver.Instance]Leftover{}
	if l.File == "" {
		return nil
	}
	file, err := os.OpenFile(l.File, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists: an earlier exploration left objects; destroy them first", l.File)
	case err != nil:
		return err
	}
	return errors.Join(file.Close(), os.Remove(l.File))
}

// keep records that the object exists, its state, and the reason why it still exists.
func (l *Ledger) keep(typeName string, o *driver.Instance, why string) {
	saved, _, err := o.Saved()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = cmp.Or(l.err, err)
	l.live[o] = Leftover{typeName, idOf(o.State()), why, &saved}
	l.save()
}

// drop records that the object was destroyed.
func (l *Ledger) drop(o *driver.Instance) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.live, o)
	l.save()
}

// lose records that an object may exist. Only its type is known.
func (l *Ledger) lose(typeName, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.live[new(driver.Instance)] = Leftover{Type: typeName, Why: "it may have been created: " + why}
}

// Failed returns the first error of writing the file, or nil.
func (l *Ledger) Failed() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Left returns the objects that still exist, sorted by type. No session may be running.
func (l *Ledger) Left() []Leftover {
	if l == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(l.live), func(a, b Leftover) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.ID, b.ID), strings.Compare(a.Why, b.Why))
	})
}

// save writes a Terraform state file, or removes it if no object has a state. Other processes never
// see a part of the file.
func (l *Ledger) save() {
	if l.File == "" {
		return
	}
	var resources []any
	for i, left := range l.Left() {
		if left.State != nil {
			resources = append(resources, map[string]any{
				"mode": "managed", "type": left.Type, "name": fmt.Sprintf("left_%d", i+1),
				"provider": fmt.Sprintf("provider[%q]", l.address), "instances": []driver.StateObject{*left.State},
			})
		}
	}
	if len(resources) == 0 {
		if err := os.Remove(l.File); !errors.Is(err, fs.ErrNotExist) {
			l.err = cmp.Or(l.err, err)
		}
		return
	}
	text, err := json.MarshalIndent(map[string]any{
		"version": 4, "terraform_version": "1.0.0", "serial": 1, "lineage": "objchange-explore", "outputs": struct{}{},
		"resources": resources,
	}, "", "  ")
	part := l.File + ".part"
	if err == nil {
		err = os.WriteFile(part, append(text, '\n'), 0o600)
	}
	if err == nil {
		err = os.Rename(part, l.File)
	}
	l.err = cmp.Or(l.err, err)
}
