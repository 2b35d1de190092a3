package explore

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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
// is lost if this process ends. A nil ledger has nothing.
type ledger struct {
	file    string // "" for none
	address string // of the provider

	mu   sync.Mutex
	live map[*life]Left
	lost []Left
	err  error // the first of writing the file
}

// open begins the file. The error says that there is one, which an earlier exploration left, or
// that it cannot be written.
func (l *ledger) open(address string) error {
	l.address, l.live = address, map[*life]Left{}
	if l.file == "" {
		return nil
	}
	if _, err := os.Lstat(l.file); err == nil {
		return fmt.Errorf("%s exists: an earlier exploration left objects, which are to be destroyed first", l.file)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	l.save()
	return l.err
}

// set notes whether the object exists, and why it still does.
func (l *ledger) set(of *life, why string) {
	if l == nil {
		return
	}
	saved, exists, err := of.instance.Saved()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = cmp.Or(l.err, err)
	if exists {
		l.live[of] = Left{of.typeName, idOf(of.instance.State()), why, &saved}
	} else {
		delete(l.live, of)
	}
	l.save()
}

// lose notes an object of which only the type is known.
func (l *ledger) lose(typeName, why string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if left := (Left{Type: typeName, Why: why}); !slices.Contains(l.lost, left) {
		l.lost = append(l.lost, left)
	}
}

// left returns what still exists, by type.
func (l *ledger) left() []Left {
	all := slices.Clone(l.lost)
	for _, left := range l.live {
		all = append(all, left)
	}
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
	if l.file != "" && len(l.live) == 0 && l.err == nil && l.live != nil {
		l.err = os.Remove(l.file)
	}
	return l.left(), l.err
}

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

// save writes the file.
func (l *ledger) save() {
	if l.file == "" {
		return
	}
	state := stateFile{Version: 4, Terraform: "1.0.0", Serial: 1, Lineage: "objchange-explore", Resources: []stateResource{}}
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
