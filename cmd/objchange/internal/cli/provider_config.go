package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/objchange/objchange"
	"github.com/zclconf/go-cty/cty"

	"github.com/objchange/objchange/cmd/objchange/internal/document"
	"github.com/objchange/objchange/cmd/objchange/internal/words"
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
func (a *app) readConfigs(from providerInput) (files configFiles, err error) {
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
	data, err := io.ReadAll(file)
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
func (f configFiles) values(schema *objchange.Block) (all configs, err error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return configs{}, err
	}
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
		value, err := c.file.value(text)
		if err != nil {
			return configs{}, err
		}
		if err := objchange.AssertConfigValid(schema, value).Err(); err != nil {
			return configs{}, errors.New(linesIn(c.file.name, "the configuration is not valid: ", err.Error()))
		}
		if !c.initially && !value.IsWhollyKnown() {
			return configs{}, fmt.Errorf("%s: only the file for --initially may have values that are not known", c.file.name)
		}
		*c.to = value
	}
	return all, nil
}

// value makes a configuration of the file, by way of a document with the schema.
func (f configFile) value(schema []byte) (cty.Value, error) {
	whole := io.MultiReader(strings.NewReader(`{"config":`), bytes.NewReader(f.data),
		strings.NewReader(`,"schema":`), bytes.NewReader(schema), strings.NewReader("}"))
	for d, err := range new(document.Reader).Read(f.name, whole) {
		if wrong := new(document.Error); errors.As(err, &wrong) {
			wrong.Reason = strings.ReplaceAll(wrong.Reason, "/config: ", "")
		}
		if err != nil {
			return cty.NilVal, err
		}
		if d.Lifecycle.Config.ContainsMarked() {
			return cty.NilVal, fmt.Errorf("%s: $sensitive cannot hide what the provider makes of a value: only what its schema says is sensitive is hidden", f.name)
		}
		return d.Lifecycle.Config, nil
	}
	return cty.NilVal, fmt.Errorf("%s: there is no configuration in it", f.name)
}
