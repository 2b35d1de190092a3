package testprovider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"
)

// The environment variables of a test provider.
const (
	// Mode selects the behavior of the process. It is a key of modes.
	Mode = "TFCHECK_TEST_PROVIDER"
	// Witness is the address to which the process connects. The connection remains open until the
	// process and all its descendants have exited.
	Witness = "TFCHECK_TEST_WITNESS"
)

// The type names with special behavior in ReadResource.
const (
	Crash  = "crash"  // panics
	Exit   = "exit"   // exits with status 4
	Hang   = "hang"   // writes "hangs" to stderr and never returns
	Refuse = "refuse" // returns an error
	Print  = "print"  // writes "printed" to stderr
	Large  = "large"  // returns 8 MiB
	Timed  = "timed"  // returns whether the request has a deadline
)

func read(ctx context.Context, typeName string) (state []byte, err error) {
	switch typeName {
	case Crash:
		panic("nothing in the list")
	case Exit:
		os.Exit(4)
	case Hang:
		fmt.Fprintln(os.Stderr, "hangs")
		return nil, forever()
	case Refuse:
		return nil, errors.New("not today")
	case Print:
		fmt.Fprintln(os.Stderr, "printed")
	case Large:
		return []byte(`"` + strings.Repeat("x", 8<<20) + `"`), nil
	case Timed:
		_, timed := ctx.Deadline()
		return json.Marshal(timed)
	}
	verb, with, _ := strings.Cut(typeName, " ")
	if do, ok := actions[verb]; ok {
		done, err := do(with)
		if err != nil {
			return nil, err
		}
		return json.Marshal(done)
	}
	return nil, nil
}

var modes = map[string]func() error{
	"5": serve5,
	"6": func() error { return serve6(answer6) },
	// stubborn ignores requests to stop.
	"stubborn": func() error {
		signal.Ignore(os.Interrupt)
		if err := serve6(answer6); err != nil {
			return err
		}
		return forever()
	},
	"dies": func() error { return errors.New("no license") },
	"noisy": func() error {
		for i := range 20000 {
			fmt.Fprintln(os.Stderr, "line", i)
		}
		return errors.New("no license")
	},
	// folder exits with its working directory as the error.
	"folder": func() error {
		dir, err := os.Getwd()
		return errors.Join(err, errors.New(dir))
	},
	// garbage is not a provider.
	"garbage": func() error {
		fmt.Println("hello")
		return forever()
	},
	"silent": forever,
	// old is a plugin with another protocol than 5 or 6 over gRPC.
	"old": func() error {
		fmt.Println("1|4|unix|/nowhere|grpc|")
		return forever()
	},
	// command is not a provider. It does the action of its argument, like ReadResource.
	"command": func() error {
		state, err := read(context.Background(), os.Args[1])
		fmt.Printf("%s\n", state)
		return err
	},
	"netrpc": func() error {
		fmt.Println("1|5|unix|/nowhere|netrpc|")
		return forever()
	},
	// deaf announces an address but does not serve.
	"deaf": func() error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Printf("1|6|tcp|%s|grpc|\n", listener.Addr())
		return forever()
	},
	// parent starts another process that keeps its output open.
	"parent": func() error {
		if err := spawn(); err != nil {
			return err
		}
		return serve6(answer6)
	},
	"dying parent": func() error {
		if err := spawn(); err != nil {
			return err
		}
		return errors.New("no license")
	},
}

// forever does not return.
func forever() error {
	time.Sleep(time.Duration(math.MaxInt64)) // with an empty select, the runtime detects a deadlock
	return nil
}

func spawn() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), Mode+"=silent", Witness+"=")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{connected}
	return cmd.Start()
}

// Main runs a test provider and exits if the environment requests one. Otherwise it returns. A
// test calls it in TestMain, and launches itself.
func Main() {
	mode, ok := os.LookupEnv(Mode)
	if !ok {
		return
	}
	if err := run(mode); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

func run(mode string) error {
	act, ok := modes[mode]
	if !ok {
		return fmt.Errorf("mode %q is not known", mode)
	}
	if address := os.Getenv(Witness); address != "" {
		if err := connect(address); err != nil {
			return err
		}
	}
	return act()
}

var connected *os.File

func connect(address string) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	connected, err = conn.(*net.TCPConn).File()
	return err
}
