package jsontext

import (
	"strings"
	"testing"
)

// BenchmarkParse measures the cost of finding duplicate names, which is small compared with the
// cost of reading the document.
func BenchmarkParse(b *testing.B) {
	text := []byte("[" + strings.Repeat(`{"name": "web", "disks": [{"size": 1, "device": null}], "tags": {"a": "b"}}, `, 1000) + "{}]")
	for name, parse := range map[string]func([]byte) (any, error){"last": Parse, "marked": ParseMarked} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
