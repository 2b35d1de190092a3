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

// The variables in the environment of a test provider.
const (
	// Mode says what the process does: a key of modes.
	Mode = "TFCHECK_TEST_PROVIDER"
	// Witness is the address to which the process connects. The connection lasts
	// as long as it and what it has started.
	Witness = "TFCHECK_TEST_WITNESS"
)

// The type names with which ReadResource does something.
const (
	Crash  = "crash"  // panics
	Exit   = "exit"   // exits with status 4
	Hang   = "hang"   // writes "hangs" to stderr and never returns
	Refuse = "refuse" // returns an error
	Print  = "print"  // writes "printed" to stderr
	Large  = "large"  // answers 8 MiB
	Timed  = "timed"  // answers whether the request has a deadline
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
	if do, ok := harms[verb]; ok {
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
	// It does not end when it is asked to.
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
	// It ends with the folder it is in.
	"folder": func() error {
		dir, err := os.Getwd()
		return errors.Join(err, errors.New(dir))
	},
	// It is no provider.
	"garbage": func() error {
		fmt.Println("hello")
		return forever()
	},
	"silent": forever,
	// It is a plugin, but not one of protocol 5 or 6 over gRPC.
	"old": func() error {
		fmt.Println("1|4|unix|/nowhere|grpc|")
		return forever()
	},
	// It is no provider, and does what its argument says, like ReadResource.
	"command": func() error {
		state, err := read(context.Background(), os.Args[1])
		fmt.Printf("%s\n", state)
		return err
	},
	"netrpc": func() error {
		fmt.Println("1|5|unix|/nowhere|netrpc|")
		return forever()
	},
	// It says where it serves, but does not.
	"deaf": func() error {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Printf("1|6|tcp|%s|grpc|\n", listener.Addr())
		return forever()
	},
	// It starts another process that keeps its output open.
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
	time.Sleep(time.Duration(math.MaxInt64)) // with select alone the runtime sees a deadlock
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

// Main makes a test provider of a process whose environment asks for it; it
// returns if that does not. A test calls it in TestMain, and launches itself.
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
