package survey

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/objchange/objchange/tfcheck/driver"
	"github.com/objchange/objchange/tfcheck/explore"
)

// A task is the exploration of one provider in a separate process. The survey continues if the
// process ends early, for example because it needs too much memory.
type task struct {
	Executable string
	Address    string
	Hints      string // a file, or ""
	Terraform  string // the executable that confirms findings, or ""
	Types      []string
	Seed       uint64
	Requests   int
	Limit      time.Duration
}

// An outcome is the result of a task.
type outcome struct {
	Protocol int
	Gaps     []string // of the isolation
	Seconds  float64
	Result   *explore.Result
	Error    string // why the provider was not explored, or not completely
}

// late is the time that a task may need to end after its limit.
const late = time.Minute

// start runs the task in a process. With an error of type *Failure, the outcome can contain the
// result until then.
func (t task) start(ctx context.Context) (o outcome, err error) {
	self, err := os.Executable()
	if err != nil {
		return o, err
	}
	input, err := json.Marshal(t)
	if err != nil {
		return o, err
	}
	limited, cancel := context.WithTimeout(ctx, t.Limit+late)
	defer cancel()
	cmd := exec.CommandContext(limited, self, "-explore")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = late
	output, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(output, &o)
	}
	switch {
	case err != nil:
		return outcome{}, &Failure{StepExplore, excerpt(err, stderr.String())}
	case o.Error != "":
		return o, &Failure{StepExplore, o.Error}
	}
	return o, nil
}

// work reads a task, explores, and writes the outcome.
func work(ctx context.Context, in io.Reader, out io.Writer) error {
	var t task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, t.Limit)
	defer cancel()
	var o outcome
	began := time.Now()
	if err := t.explore(limited, &o); err != nil {
		o.Error = err.Error()
	}
	o.Seconds = math.Round(time.Since(began).Seconds()*10) / 10
	return json.NewEncoder(out).Encode(o)
}

// explore explores the provider. With an error, the outcome contains the result until then.
func (t task) explore(ctx context.Context, o *outcome) (err error) {
	var hints *explore.Hints
	if t.Hints != "" {
		file, err := os.Open(t.Hints)
		if err != nil {
			return err
		}
		defer file.Close()
		if hints, err = explore.ReadHints(t.Hints, file); err != nil {
			return err
		}
	}
	var once sync.Once
	launch := func(ctx context.Context) (*explore.Process, error) {
		p, err := driver.Launch(ctx, t.Executable, driver.Isolated(driver.Limits{}), driver.WithEnv(hints.Env()...))
		if err != nil {
			return nil, err
		}
		once.Do(func() { o.describe(p) })
		return explore.ProcessOf(p), nil
	}
	options := []explore.Option{
		explore.Types(t.Types...), explore.Seed(t.Seed), explore.Requests(t.Requests), explore.WithHints(hints), explore.Address(t.Address),
	}
	if t.Terraform != "" {
		options = append(options, explore.Confirm(t.Terraform, t.Executable))
	}
	o.Result, err = explore.Explore(ctx, launch, options...)
	return err
}

// describe adds the protocol and the isolation of a process of the provider.
func (o *outcome) describe(p *driver.Plugin) {
	o.Protocol = p.Protocol()
	for _, b := range p.Isolation() {
		if b.Gap != "" {
			o.Gaps = append(o.Gaps, b.String())
		}
	}
}

// excerpt returns the error and the end of the program's output in one line.
func excerpt(err error, stderr string) string {
	const most = 500
	stderr = strings.ToValidUTF8(strings.Join(strings.Fields(stderr), " "), "?")
	if len(stderr) > most {
		stderr = "… " + strings.ToValidUTF8(stderr[len(stderr)-most:], "")
	}
	if stderr == "" {
		return err.Error()
	}
	return fmt.Sprintf("%v: %s", err, stderr)
}
