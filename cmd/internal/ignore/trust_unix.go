//go:build unix

package ignore

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// trust returns an error if another user may write the file, or owns the link with the given name.
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
	group := info.Sys().(*syscall.Stat_t).Gid
	return cmp.Or(trustOwner(name, owner(link), us), trustOwner(name, owner(info), us), trustMode(name, info.Mode(), isPrivate(group)))
}

func owner(info fs.FileInfo) uint32 { return info.Sys().(*syscall.Stat_t).Uid }

// isPrivate reports whether a group belongs to the user alone. Most systems give each user a group
// of the same name, and use the umask 002. Then Git creates files that the group may write.
func isPrivate(group uint32) bool {
	us, err := user.Current()
	if err != nil {
		return false
	}
	of, err := user.LookupGroupId(strconv.Itoa(int(group)))
	return err == nil && us.Gid == of.Gid && us.Username == of.Name
}

func trustOwner(name string, owner, us uint32) error {
	if owner == us || owner == 0 {
		return nil
	}
	return fmt.Errorf("%s: the file belongs to another user (%d), who could hide findings: change its owner, or pass it with --baseline if you trust it", name, owner)
}

func trustMode(name string, mode fs.FileMode, ownGroup bool) error {
	const group, all = 0o020, 0o002
	if mode.Perm()&all == 0 && (ownGroup || mode.Perm()&group == 0) {
		return nil
	}
	return fmt.Errorf("%s: other users may write the file (%s) and hide findings: run chmod go-w, or pass it with --baseline if you trust it", name, mode.Perm())
}
