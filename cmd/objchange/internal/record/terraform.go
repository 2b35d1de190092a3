package record

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// asking are the subcommands of terraform that ask providers for what is judged,
// and whether they can be told to ask one thing at a time. Not every release has
// the flag for its test.
var asking = map[string]bool{
	"plan": true, "apply": true, "destroy": true, "refresh": true, "import": true, "test": false,
}

// Terraform becomes terraform, or tofu: it does not return, unless it fails. If
// that is going to ask providers for what is judged, their schemas are first
// added to those in the folder dir. Where providers are part of a test, only now
// is there someone to ask.
func Terraform(dir, notes, program string, args []string) error {
	at := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if at >= 0 {
		if oneByOne, asks := asking[args[at]]; asks {
			if err := addSchemas(dir, program, args[:at]); err != nil {
				noteNoSchemas(notes, err) // there is a recording all the same
			}
			if oneByOne {
				args = serial(args, at)
			}
		}
	}
	return syscall.Exec(program, append([]string{program}, args...), os.Environ())
}

// serial returns the arguments so that the subcommand, which is one of them, asks
// for one thing after the other: two requests in one millisecond write to the
// same data file. Tests are run with another -parallelism, which no variable of
// the environment can change.
func serial(args []string, subcommand int) []string {
	changed := append(slices.Clone(args[:subcommand+1]), "-parallelism=1")
	rest := args[subcommand+1:]
	for i := 0; i < len(rest); i++ {
		name, _, hasValue := strings.Cut(rest[i], "=")
		switch {
		case name != "-parallelism" && name != "--parallelism":
			changed = append(changed, rest[i])
		case !hasValue:
			i++ // the value is an argument of its own
		}
	}
	return changed
}
