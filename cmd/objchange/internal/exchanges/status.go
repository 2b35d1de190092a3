//go:build !wasm

package exchanges

import (
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// StatusOf returns the status that an error is, nil if there is none.
func StatusOf(err error) *Status {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	told := &Status{Code: uint32(s.Code()), Name: s.Code().String(), Message: s.Message()}
	for _, detail := range s.Proto().GetDetails() {
		if raw, err := proto.Marshal(detail); err == nil {
			told.Details = append(told.Details, raw)
		}
	}
	return told
}
