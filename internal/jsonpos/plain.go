package jsonpos

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// errUTF16 says what to do about text that is no UTF-8.
var errUTF16 = errors.New("the text is UTF-16, as PowerShell's > writes it: " +
	"convert it to UTF-8 with Get-Content FILE | Set-Content -Encoding utf8 NEWFILE")

// errBinary says what to do about a plan as Terraform saves it.
var errBinary = errors.New("this is a plan that Terraform saved, which it prints as JSON: terraform show -json FILE")

// PlainText returns text without the byte order mark of UTF-8 that it may begin
// with. Reading UTF-16, or a plan that Terraform saved, fails, and the error says how
// to convert it.
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
			_, _ = t.in.Discard(len(start)) // they are there
		}
	}
	return t.in.Read(p)
}
