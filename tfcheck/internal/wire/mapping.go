//go:build !wasm

package wire

import (
	"reflect"
	"sync"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// A mapping says which field of a message each field of a struct is.
type mapping struct {
	fields []field
	// unsent are the struct fields that the message has not.
	unsent []int
	// unread are the message fields that the struct has not.
	unread []protoreflect.FieldDescriptor
}

type field struct {
	index      int
	descriptor protoreflect.FieldDescriptor
}

type pair struct {
	structure reflect.Type
	message   protoreflect.FullName
}

var mappings sync.Map // of *mapping by pair

func mappingOf(structure reflect.Type, message protoreflect.MessageDescriptor) *mapping {
	key := pair{structure, message.FullName()}
	if known, ok := mappings.Load(key); ok {
		return known.(*mapping)
	}
	made, _ := mappings.LoadOrStore(key, newMapping(structure, message))
	return made.(*mapping)
}

func newMapping(structure reflect.Type, message protoreflect.MessageDescriptor) *mapping {
	m := &mapping{}
	byName := map[string]protoreflect.FieldDescriptor{}
	for i := range message.Fields().Len() {
		fd := message.Fields().Get(i)
		byName[plain(string(fd.Name()))] = fd
	}
	for i := range structure.NumField() {
		key := fieldName(structure.Field(i))
		fd, ok := byName[key]
		if !ok {
			m.unsent = append(m.unsent, i)
			continue
		}
		m.fields = append(m.fields, field{i, fd})
		delete(byName, key)
	}
	for _, fd := range byName {
		m.unread = append(m.unread, fd)
	}
	return m
}
