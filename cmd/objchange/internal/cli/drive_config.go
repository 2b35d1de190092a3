package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/objchange/objchange"
	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/files"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
	"github.com/objchange/objchange/tfcheck"
)

// configFiles are the files with configurations, as they are.
type configFiles struct {
	config, initially, update configFile
	provider                  any
}

type configFile struct {
	name string
	data []byte
}

// configs are configurations of a resource, nil where there is no file.
type configs struct{ config, initially, update any }

// readConfigs reads the files before anything is done.
func (a *app) readConfigs(from driveInput) (files configFiles, err error) {
	names := []string{from.config, from.initially, from.update, from.providerConfig}
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return files, misused("stdin can be one of the files only")
	}
	var read [4]configFile
	for i, name := range names {
		if read[i], err = a.readConfig(name); err != nil {
			return files, err
		}
	}
	files = configFiles{config: read[0], initially: read[1], update: read[2]}
	if own := read[3]; own.name != "" {
		dec := json.NewDecoder(bytes.NewReader(own.data))
		dec.UseNumber()
		err = dec.Decode(&files.provider)
	}
	return files, err
}

// readConfig reads a file, "" for none, that has one JSON object in it.
func (a *app) readConfig(name string) (configFile, error) {
	if name == "" {
		return configFile{}, nil
	}
	file, err := a.open(name)
	if err != nil {
		return configFile{}, err
	}
	defer file.Close()
	data, err := io.ReadAll(files.Limit(file, document.MaxConfig))
	if err != nil {
		return configFile{}, fmt.Errorf("%s: %w", name, err)
	}
	data = bytes.TrimRight(data, " \t\r\n")
	var object map[string]json.RawMessage
	err = json.Unmarshal(data, &object)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return configFile{}, fmt.Errorf("%s:%d: not JSON: %w", name, words.Line(data, syntax.Offset), err)
	case err != nil || object == nil:
		return configFile{}, fmt.Errorf("%s: a configuration must be an object", name)
	}
	return configFile{name, data}, nil
}

// values makes configurations of the files, which keep the rules.
func (f configFiles) values(schema *objchange.Schema) (all configs, err error) {
	for _, c := range []struct {
		file      configFile
		to        *any
		initially bool
	}{
		{f.config, &all.config, false}, {f.initially, &all.initially, true}, {f.update, &all.update, false},
	} {
		if c.file.name == "" {
			continue
		}
		value, err := document.ReadConfig(c.file.name, c.file.data, schema.Block())
		if err != nil {
			return configs{}, err
		}
		if err := objchange.AssertConfigValid(schema, value).Err(); err != nil {
			return configs{}, notValid(c.file.name, &tfcheck.ConfigError{What: "configuration", Err: err})
		}
		if !c.initially && !value.IsWhollyKnown() {
			return configs{}, fmt.Errorf("%s: only the file for --initially may have values that are not known", c.file.name)
		}
		*c.to = value
	}
	return all, nil
}
