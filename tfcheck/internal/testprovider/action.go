package testprovider

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// actions lists harmful actions by name. ReadResource runs one if the type name is its name and
// argument. The returned state is the result of the action.
var actions = map[string]func(with string) (any, error){
	"environ": func(string) (any, error) { return os.Environ(), nil },
	"folder":  func(string) (any, error) { return os.Getwd() },
	"show": func(path string) (any, error) {
		text, err := os.ReadFile(path)
		return string(text), err
	},
	"write": func(path string) (any, error) { return nil, os.WriteFile(path, []byte("harm"), 0o600) },
	// lock leaves a read-only directory.
	"lock": func(string) (any, error) {
		return nil, errors.Join(os.Mkdir("locked", 0o700), os.WriteFile("locked/kept", nil, 0o400), os.Chmod("locked", 0o500))
	},
	"tcp": func(address string) (any, error) { return dial("tcp", address) },
	"udp": func(address string) (any, error) { return dial("udp", address) },
	"signal": func(pid string) (any, error) {
		process, err := os.FindProcess(int(number(pid)))
		if err != nil {
			return nil, err
		}
		return nil, process.Signal(syscall.Signal(0))
	},
	"allocate": func(size string) (any, error) {
		memory := make([]byte, number(size))
		for i := 0; i < len(memory); i += 4096 {
			memory[i] = 1
		}
		time.Sleep(time.Second)
		return memory[len(memory)-1], nil
	},
	"stderr": func(size string) (any, error) { return io.CopyN(os.Stderr, noise{}, number(size)) },
	"stdout": func(size string) (any, error) { return io.CopyN(os.Stdout, noise{}, number(size)) },
	// raw writes to the stream on which the provider announced its address.
	"raw": func(size string) (any, error) { return io.CopyN(os.NewFile(1, "stdout"), noise{}, number(size)) },
	// orphan starts a process outside of the process group, with the argument.
	"orphan": func(mark string) (any, error) { return nil, start(mark) },
}

func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func dial(network, address string) (any, error) {
	conn, err := net.DialTimeout(network, address, 5*time.Second)
	if err != nil {
		return nil, err
	}
	return conn.LocalAddr().String(), conn.Close()
}

type noise struct{}

func (noise) Read(p []byte) (int, error) { return copy(p, strings.Repeat("noise\n", len(p)/6+1)), nil }

// start starts another process that does not exit, outside of the group.
func start(mark string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, mark)
	cmd.Env = append(os.Environ(), Mode+"=silent")
	leave(cmd)
	return cmd.Start()
}
