package api

import (
	"bytes"
	"strconv"

	"github.com/objchange/objchange/cmd/internal/words"
)

// json returns the JSON of the answer. The fields result and rules are exactly the output of the
// commands, which encoding/json would change.
func (a answer) json() []byte {
	var b bytes.Buffer
	b.WriteString(`{"status":` + strconv.Itoa(a.status))
	field := func(name string, text []byte) {
		if len(text) > 0 {
			b.WriteString(`,"` + name + `":`)
			b.Write(bytes.TrimSuffix(text, []byte("\n")))
		}
	}
	field("result", a.result)
	field("rules", a.rules)
	if a.errors != nil {
		field("errors", encoded(a.errors))
	}
	b.WriteByte('}')
	return b.Bytes()
}

func encoded(v any) []byte {
	text, err := words.JSON(v, "")
	if err != nil {
		panic(err) // these types can always be encoded
	}
	return text
}
