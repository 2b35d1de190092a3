package explore

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

// A Left is an object that was created and could not be destroyed, or may have been created.
type Left struct {
	Type  string        `json:"type"`
	ID    string        `json:"id,omitempty"`
	Why   string        `json:"why"`
	State *driver.Saved `json:"-"` // with sensitive values; nil if the provider did not return a state
}

// A ledger has what exists because it was created here. It keeps it in a file, so that nothing
// is lost if this process ends. A nil ledger is always empty.
type ledger struct {
	file    string // "" for none
	address string // of the provider
	opened  bool   // the file is this ledger's

	mu   sync.Mutex
	live map[*object]Left
	lost []Left
	err  error // the first of writing the file
}

// open begins the file. The error says that there is one with objects, which an earlier
// exploration left, or that it cannot be written.
func (l *ledger) open(address string) error {
	l.address, l.live = address, map[*object]Left{}
	if l.file == "" {
		return nil
	}
	switch text, err := os.ReadFile(l.file); {
	case err == nil && !isEmptyState(text):
		return fmt.Errorf("%s exists: an earlier exploration left objects, which are to be destroyed first", l.file)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	l.save()
	l.opened = l.err == nil
	return l.err
}

// keep notes that the object exists, as it is now, and why it still does.
func (l *ledger) keep(o *object, why string) {
	saved, _, err := o.latest.Saved()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = cmp.Or(l.err, err)
	l.live[o] = Left{o.typeName, idOf(o.latest.State()), why, &saved}
	l.save()
}

// drop notes that the object was destroyed.
func (l *ledger) drop(o *object) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.live, o)
	l.save()
}

// lose notes that an object may exist of which only the type is known.
func (l *ledger) lose(typeName, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = append(l.lost, Left{Type: typeName, Why: "it may have been created: " + why})
}

// failed returns the error of writing the file, if there was one.
func (l *ledger) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// left returns what still exists, by type.
func (l *ledger) left() []Left {
	all := slices.AppendSeq(slices.Clone(l.lost), maps.Values(l.live))
	slices.SortFunc(all, func(a, b Left) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.ID, b.ID), strings.Compare(a.Why, b.Why))
	})
	return all
}

// close returns what is left, and removes the file if that is nothing.
func (l *ledger) close() ([]Left, error) {
	if l == nil {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.opened && len(l.live) == 0 && l.err == nil {
		l.err = os.Remove(l.file)
	}
	return l.left(), l.err
}

// lineage tells state files of explore from others.
const lineage = "objchange-explore"

// A stateFile is a state file of Terraform.
type stateFile struct {
	Version   int             `json:"version"`
	Terraform string          `json:"terraform_version"`
	Serial    int             `json:"serial"`
	Lineage   string          `json:"lineage"`
	Outputs   struct{}        `json:"outputs"`
	Resources []stateResource `json:"resources"`
}

type stateResource struct {
	Mode      string         `json:"mode"`
	Type      string         `json:"type"`
	Name      string         `json:"name"`
	Provider  string         `json:"provider"`
	Instances []driver.Saved `json:"instances"`
}

// isEmptyState reports whether the text is a state without resources, as an exploration leaves it
// that was killed.
func isEmptyState(text []byte) bool {
	var state stateFile
	return json.Unmarshal(text, &state) == nil && state.Lineage == lineage && len(state.Resources) == 0
}

// save writes the file.
func (l *ledger) save() {
	if l.file == "" {
		return
	}
	state := stateFile{Version: 4, Terraform: "1.0.0", Serial: 1, Lineage: lineage, Resources: []stateResource{}}
	for i, left := range l.left() {
		if left.State != nil {
			state.Resources = append(state.Resources, stateResource{
				"managed", left.Type, fmt.Sprintf("left_%d", i+1), fmt.Sprintf("provider[%q]", l.address), []driver.Saved{*left.State},
			})
		}
	}
	text, err := json.MarshalIndent(state, "", "  ")
	if err == nil {
		err = writeAtomically(l.file, append(text, '\n'), 0o600)
	}
	l.err = cmp.Or(l.err, err)
}
