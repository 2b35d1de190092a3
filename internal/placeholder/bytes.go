package placeholder

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// BytesPrefix is the prefix of encoded map keys. Strings in values can contain any bytes, but JSON
// only contains UTF-8. Other strings are encoded as {"$bytes": BASE64}, or as "$bytes:BASE64" if
// they are keys.
const BytesPrefix = KeyBytes + ":"

var encoding = base64.StdEncoding

// BytesOf returns the string for the data of $bytes.
func BytesOf(data any) (string, error) {
	text, ok := data.(string)
	decoded, err := encoding.DecodeString(text)
	if !ok || err != nil {
		return "", errors.New(KeyBytes + " must be base64")
	}
	return string(decoded), nil
}

// StringData returns the data of a string.
func StringData(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	return map[string]any{KeyBytes: encoding.EncodeToString([]byte(s))}
}

// DecodeKeys returns the entries with decoded keys.
func DecodeKeys(data map[string]any) (map[string]any, error) {
	coded := func(key string) bool { return strings.HasPrefix(key, BytesPrefix) }
	if !hasKey(data, coded) {
		return data, nil // do not copy data, which may be large
	}
	entries := make(map[string]any, len(data))
	for key, part := range data {
		if text, ok := strings.CutPrefix(key, BytesPrefix); ok {
			var err error
			if key, err = BytesOf(text); err != nil {
				return nil, errors.New("what follows " + BytesPrefix + " in a key must be base64")
			}
		}
		if _, twice := entries[key]; twice {
			return nil, fmt.Errorf("duplicate key, once with %s", BytesPrefix)
		}
		entries[key] = part
	}
	return entries, nil
}

func hasKey(data map[string]any, is func(string) bool) bool {
	for key := range data {
		if is(key) {
			return true
		}
	}
	return false
}

// EncodeKeys returns the entries with keys that decode to the original keys.
func EncodeKeys(entries map[string]any) map[string]any {
	ours := func(key string) bool { return strings.HasPrefix(key, "$") }
	coded := func(key string) bool { return !utf8.ValidString(key) }
	switch {
	case !hasKey(entries, coded) && !hasKey(entries, ours):
		return entries
	case !hasKey(entries, coded):
		return map[string]any{KeyLiteral: entries}
	}
	data := make(map[string]any, len(entries))
	for key, part := range entries {
		if ours(key) || coded(key) {
			key = BytesPrefix + encoding.EncodeToString([]byte(key))
		}
		data[key] = part
	}
	return data
}

// TextOf returns the string that the data contains or encodes.
func TextOf(data any) (string, error) {
	if form, ok := data.(map[string]any); ok && len(form) == 1 {
		return BytesOf(form[KeyBytes])
	}
	s, ok := data.(string)
	if !ok {
		return "", errors.New("must be a string")
	}
	return s, nil
}

// A byteString is a string with any bytes that is encoded in JSON.
type byteString string

// MarshalJSON encodes the string as documents do.
func (t byteString) MarshalJSON() ([]byte, error) { return json.Marshal(StringData(string(t))) }

// UnmarshalJSON decodes the string.
func (t *byteString) UnmarshalJSON(data []byte) error {
	var read any
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	s, err := TextOf(read)
	*t = byteString(s)
	return err
}
