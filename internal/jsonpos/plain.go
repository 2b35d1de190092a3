package jsonpos

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errUTF16 says how to convert text that is UTF-16.
var errUTF16 = errors.New("the text is UTF-16, as PowerShell's > writes it: " +
	"convert it to UTF-8 with Get-Content FILE | Set-Content -Encoding utf8 NEWFILE")

// errBinary says how to convert a plan file that Terraform saved.
var errBinary = errors.New("this is a saved plan; convert it to JSON with terraform show -json FILE")

// PlainText returns a reader of the text without a byte order mark of UTF-8. Reading returns an
// error for UTF-16 and for a plan that Terraform saved. The error says how to convert the file.
func PlainText(in io.Reader) io.Reader { return &plainText{in: bufio.NewReader(in)} }

type plainText struct {
	in    *bufio.Reader
	begun bool
}

func (t *plainText) Read(p []byte) (int, error) {
	if !t.begun {
		start, _ := t.in.Peek(3)
		if bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")) {
			return 0, errUTF16
		}
		if string(start) == "PK\x03" {
			return 0, errBinary
		}
		t.begun = true
		if string(start) == "\xef\xbb\xbf" {
			_, _ = t.in.Discard(len(start)) // already buffered by Peek
		}
	}
	return t.in.Read(p)
}
