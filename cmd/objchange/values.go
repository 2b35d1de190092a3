package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// decode reads the value in a data file. Its error names the file, the line of
// the log that names it, and the reason, which shows no part of the value.
func (rec *recording) decode(file *dataFile, ty cty.Type) (cty.Value, error) {
	value, err := readValue(rec.path(file), file.format, ty)
	if err != nil {
		return cty.NilVal, fmt.Errorf("%s:%d: %s: %w",
			filepath.Join(rec.dir, logName), file.line, dataName+"/"+file.name, err)
	}
	return value, nil
}

func readValue(path, format string, ty cty.Type) (value cty.Value, err error) {
	if format == "empty" {
		return cty.NullVal(ty), nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return cty.NilVal, err
	}
	defer func() {
		// The decoders panic on some values, such as a list of elements of
		// several types where the type of the elements is dynamic.
		if recover() != nil {
			err = errors.New("not a value of the schema's type")
		}
	}()
	switch format {
	case "msgpack":
		return msgpack.Unmarshal(content, ty)
	case "json":
		return ctyjson.Unmarshal(content, ty)
	}
	return cty.NilVal, fmt.Errorf("unknown format %q", format)
}
