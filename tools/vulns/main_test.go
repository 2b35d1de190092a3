package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// In the recorded run, a made-up vulnerability is called, and of another one only the
// package is imported.
func TestJudge(t *testing.T) {
	recorded, err := os.ReadFile("testdata/found.json")
	if err != nil {
		t.Fatal(err)
	}
	const told = "GO-2099-0001: A made-up vulnerability that is called\n" +
		"  Glob of github.com/bmatcuk/doublestar/v4 v4.10.3 is called; fixed in v4.99.0\n"
	for name, test := range map[string]struct{ exceptions, in, out, err string }{
		"called":      {"", string(recorded), told, "vulnerabilities that are called and count: 1"},
		"excepted":    {"# known\n\nGO-2099-0001 2026-11-22 no pattern comes from outside", string(recorded), told + "  excepted until 2026-11-22: no pattern comes from outside\n", ""},
		"twice":       {"", string(recorded) + string(recorded), told, "vulnerabilities that are called and count: 1"},
		"expired":     {"GO-2099-0001 2026-11-21 no pattern comes from outside", string(recorded), told, "vulnerabilities that are called and count: 1"},
		"not called":  {"GO-2099-0001 2026-11-22 known\nGO-2099-0002 2026-11-22 known", string(recorded), told + "  excepted until 2026-11-22: known\n", "GO-2099-0002 is excepted, and is not called any more"},
		"nothing":     {"", `{"config": {"scanner_name": "govulncheck"}}`, "", ""},
		"did not run": {"", "", "", "govulncheck wrote nothing"},
		"no JSON":     {"", "govulncheck: no go.mod", "", "no JSON of govulncheck: invalid character 'g' looking for beginning of value"},
		"no reason":   {"\nGO-2099-0001 2026-11-22", "", "", "exceptions, line 2: want a vulnerability that is not above, a day as 2027-01-31, and a reason"},
		"no day":      {"GO-2099-0001 soon it is mended", "", "", "exceptions, line 1: want a vulnerability that is not above, a day as 2027-01-31, and a reason"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			said := ""
			if err := judge(&out, strings.NewReader(test.in), test.exceptions, time.Date(2026, 11, 22, 23, 0, 0, 0, time.UTC)); err != nil {
				said = err.Error()
			}
			if out.String() != test.out || said != test.err {
				t.Errorf("%q and the error %q, want %q and %q", out.String(), said, test.out, test.err)
			}
		})
	}
}
