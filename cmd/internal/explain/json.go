package explain

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// beginOfJSON returns where JSON may begin in a line: an object anywhere, or a string that is the
// whole line. It returns -1 if the line has neither.
func beginOfJSON(line string) int {
	if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, `"`) && strings.HasSuffix(strings.TrimRight(trimmed, ","), `"`) && strings.Contains(trimmed, `\n`) {
		return strings.IndexByte(line, '"')
	}
	return strings.IndexByte(line, '{')
}

// maxJSON limits the JSON that begins in one line. maxAttempts limits the bytes that are read
// without finding JSON.
const (
	maxJSON     = 1 << 20
	maxAttempts = 32 << 20
)

// fromJSON returns the JSON value at the beginning of a text and its length. If there is none, the
// length is 0, and read is the number of bytes read.
func fromJSON(text string) (value any, n, read int) {
	if text[0] == '{' && !strings.HasPrefix(strings.TrimLeft(text[1:], " \t\n"), `"`) {
		return nil, 0, 0
	}
	in := strings.NewReader(text[:min(len(text), maxJSON)])
	d := json.NewDecoder(in)
	if err := d.Decode(&value); err != nil {
		return nil, 0, int(in.Size()) - in.Len()
	}
	return value, int(d.InputOffset()), 0
}

// fromWrapped is fromJSON for a line of terraform -json that was wrapped.
func fromWrapped(text string) (value any, n, read int) {
	text = text[:min(len(text), maxJSON/8)]
	value, length, read := fromJSON(strings.ReplaceAll(text, "\n", ""))
	for ; length > 0; n++ {
		if text[n] != '\n' {
			length--
		}
	}
	return value, n, read + len(text)
}

// logLineOf returns the line of text in an object of a log. One error may be in several such
// objects.
func logLineOf(value any) (line string, ok bool) {
	object, _ := value.(map[string]any)
	if object["diagnostic"] != nil || object["summary"] != nil {
		return "", false
	}
	for _, name := range []string{"@message", "message", "msg", "log"} {
		if line, ok := object[name].(string); ok {
			return line, true
		}
	}
	return "", false
}

// inJSON returns the parts in a JSON value: diagnostics, and other strings, such as the message of
// a log.
func inJSON(value any) (parts []part) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, " ") {
			parts = append(parts, clean(decode(value), ""))
		}
	case []any:
		for _, v := range value {
			parts = append(parts, inJSON(v)...)
		}
	case map[string]any:
		if d, ok := value["diagnostic"].(map[string]any); ok {
			return inJSON(d)
		}
		if summary, ok := value["summary"].(string); ok {
			detail, _ := value["detail"].(string)
			address, _ := value["address"].(string)
			severity, _ := value["severity"].(string)
			if severity == "warning" {
				return nil
			}
			return []part{clean(decode("Error: "+summary+"\n\n"+detail), address)}
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			parts = append(parts, inJSON(value[name])...)
		}
	}
	return parts
}
