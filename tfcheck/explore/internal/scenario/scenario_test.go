package scenario

import "testing"

func TestNormalHasNoKeys(t *testing.T) {
	if got := Normal(`.disks[0].tags["a]\"]b"].size`); got != ".disks[…].tags[…].size" {
		t.Error(got)
	}
}
