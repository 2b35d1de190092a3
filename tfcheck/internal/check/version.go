package check

import "fmt"

// Before reports whether a version, such as "1.11.4", is before the release 1.minor. A version that
// is not known or cannot be parsed counts as the newest one.
func Before(version string, minor int) bool {
	var parsed [2]int
	_, err := fmt.Sscanf(version, "%d.%d", &parsed[0], &parsed[1])
	return err == nil && (parsed[0] < 1 || parsed[0] == 1 && parsed[1] < minor)
}
