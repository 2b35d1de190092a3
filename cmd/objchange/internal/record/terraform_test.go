package record

import (
	"slices"
	"strings"
	"testing"
)

func TestSerial(t *testing.T) {
	for _, test := range []struct{ given, want string }{
		{"plan", "plan -parallelism=1"},
		{"apply saved.plan", "apply -parallelism=1 saved.plan"},
		{"-chdir=a apply -parallelism=10 -input=false saved.plan", "-chdir=a apply -parallelism=1 -input=false saved.plan"},
		{"plan -parallelism 10 --parallelism=2 -out=p", "plan -parallelism=1 -out=p"},
		{"plan -parallelism", "plan -parallelism=1"},
		{"import -var a=-parallelism=3 a.b c", "import -parallelism=1 -var a=-parallelism=3 a.b c"},
	} {
		args := strings.Fields(test.given)
		at := slices.IndexFunc(args, func(arg string) bool { return arg[0] != '-' })
		if got := strings.Join(serial(args, at), " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.given, got, test.want)
		}
		if got := strings.Join(args, " "); got != test.given {
			t.Errorf("%s: the arguments themselves became %s", test.given, got)
		}
	}
}

func TestQuoted(t *testing.T) {
	if got, want := quoted("it's $HOME"), `'it'\''s $HOME'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
