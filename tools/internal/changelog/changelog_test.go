package changelog

import "testing"

func TestReleaseDatesTheHeading(t *testing.T) {
	const before = `# Changelog

## [Unreleased]

### Added

- Two.

## [0.1.0] - 2026-01-31

### Added

- One.

[Unreleased]: https://example.com/x/compare/v0.1.0...HEAD
[0.1.0]: https://example.com/x/releases/tag/v0.1.0
`
	const after = `# Changelog

## [Unreleased]

## [0.2.0] - 2026-02-28

### Added

- Two.

## [0.1.0] - 2026-01-31

### Added

- One.

[Unreleased]: https://example.com/x/compare/v0.2.0...HEAD
[0.2.0]: https://example.com/x/releases/tag/v0.2.0
[0.1.0]: https://example.com/x/releases/tag/v0.1.0
`
	got, err := Release([]byte(before), "v0.2.0", "2026-02-28", "https://example.com/x")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != after {
		t.Errorf("got:\n%s\nwant:\n%s", got, after)
	}
	if again, err := Release(got, "v0.2.0", "2026-03-31", "https://example.com/x"); err != nil || string(again) != after {
		t.Errorf("released twice: %v\n%s", err, again)
	}
	if again, err := Release(got, "v0.3.0", "2026-03-31", "https://example.com/x"); err == nil {
		t.Errorf("released nothing:\n%s", again)
	}
}

func TestUnreleasedHasItsTextAlone(t *testing.T) {
	for text, want := range map[string]string{
		"# Log\n\n## [Unreleased]\n### Removed\n- One.\n":      "\n### Removed\n- One.\n",
		"## [unreleased]\n- Two.\n## [0.1.0]\n- One.\n":        "\n- Two.\n",
		"## [Unreleased]\n[Unreleased]: https://example.com\n": "\n",
	} {
		if got, err := Unreleased([]byte(text)); string(got) != want || err != nil {
			t.Errorf("%q: got %q, %v", text, got, err)
		}
	}
	if _, err := Unreleased([]byte("# Unreleased\n")); err == nil {
		t.Error("there is no heading")
	}
}
