package values

import "errors"

// Rescue converts a panic of cty, of another package of values or of a method of data into an error.
// The error omits the text of the panic, which may contain values.
func Rescue[V any](v *V, err *error) {
	if recover() != nil {
		var none V
		*v, *err = none, errors.New("the value is invalid: an operation on it panics")
	}
}
