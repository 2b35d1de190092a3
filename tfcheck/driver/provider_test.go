package driver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6to5server"

	"github.com/objchange/objchange/tfcheck/internal/wire"
)

// modeEnv is the environment variable that makes the test binary a provider. It is a key of modes.
const modeEnv = "TFCHECK_TEST_PROVIDER"

// TestMain runs the test binary as a provider if Launch started it.
func TestMain(m *testing.M) {
	mode, ok := modes[os.Getenv(modeEnv)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := mode(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

var modes = map[string]func() error{
	"5": func() error {
		five, err := tf6to5server.DowngradeServer(context.Background(), func() tfprotov6.ProviderServer { return executable{idle} })
		if err != nil {
			return err
		}
		return tf5server.Serve("example.com/test/test", func() tfprotov5.ProviderServer { return five })
	},
	"6": serve6,
	// stubborn ignores requests to stop.
	"stubborn": func() error {
		signal.Ignore(os.Interrupt)
		if err := serve6(); err != nil {
			return err
		}
		return forever()
	},
	// noisy exits with much output and its working directory.
	"noisy": func() error {
		for i := range 20000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
		dir, err := os.Getwd()
		return errors.Join(err, errors.New("no license in "+dir))
	},
	// garbage is not a provider.
	"garbage": func() error {
		fmt.Println("hello")
		return forever()
	},
	"silent": forever,
	// old is a plugin with another protocol than 5 or 6.
	"old": func() error {
		fmt.Println("1|4|unix|/nowhere|grpc|")
		return forever()
	},
}

func serve6() error {
	return tf6server.Serve("example.com/test/test", func() tfprotov6.ProviderServer { return executable{idle} })
}

// forever does not return.
func forever() error {
	time.Sleep(time.Duration(math.MaxInt64)) // with an empty select, the runtime detects a deadlock
	return nil
}

// An executable is the server of the test binary.
type executable struct{ tfprotov6.ProviderServer }

// ReadResource returns the state of the request. The type name selects what it does instead.
func (executable) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	var state any
	switch req.TypeName {
	case "crash":
		panic("nothing in the list")
	case "exit":
		os.Exit(4)
	case "hang":
		fmt.Fprintln(os.Stderr, "hangs")
		return nil, forever()
	case "refuse":
		return nil, errors.New("not today")
	case "line": // on the stream of the handshake
		go func() { _, _ = os.NewFile(1, "stdout").WriteString(strings.Repeat("x", 1<<20)) }()
	case "large":
		state = strings.Repeat("x", 8<<20)
	case "timed": // whether the request has a deadline
		_, state = ctx.Deadline()
	case "home":
		state = os.Getenv("HOME")
	}
	text, err := json.Marshal(state)
	return &tfprotov6.ReadResourceResponse{NewState: &tfprotov6.DynamicValue{JSON: text}}, err
}

// idle is a provider whose responses are empty.
var idle = wire.NewServer(nil, func(context.Context, string, any, any) error { return nil })
