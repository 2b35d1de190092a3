//go:build unix

package ignore

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// trust returns an error if another user may write the file, or made the link to it that
// has the name.
func trust(name string, file *os.File) error {
	link, err := os.Lstat(name)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	us := uint32(os.Geteuid())
	return cmp.Or(trustOwner(name, owner(link), us), trustOwner(name, owner(info), us), trustMode(name, info.Mode()))
}

func owner(info fs.FileInfo) uint32 { return info.Sys().(*syscall.Stat_t).Uid }

func trustOwner(name string, owner, us uint32) error {
	if owner == us || owner == 0 {
		return nil
	}
	return fmt.Errorf("%s: it belongs to another user (%d), who could have findings ignored: make it yours, or name it with --baseline if you trust it", name, owner)
}

func trustMode(name string, mode fs.FileMode) error {
	if mode.Perm()&0o022 == 0 {
		return nil
	}
	return fmt.Errorf("%s: others may write it (%s), and have findings ignored: run chmod go-w, or name it with --baseline if you trust it", name, mode.Perm())
}
