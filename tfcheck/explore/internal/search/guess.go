package search

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// A guess lists values for the names, descriptions and messages that suggest a format. Names are
// words in lower case, separated by spaces.
type guess struct {
	words  []string // in names of attributes, descriptions and messages
	names  []string // only in names of attributes
	values []string
}

// guesses lists the known formats. Special formats come first.
var guesses = sync.OnceValue(func() []guess {
	return []guess{
		{words: []string{"private key"}, names: []string{"key pem", "ssl key", "tls key", "client key"},
			values: privateKeys()},
		{words: []string{"ssh public key", "openssh", "ssh key"}, values: sshKeys()},
		{names: []string{"public key"}, values: publicKeys()},
		{words: []string{"pem", "certificate", "x.509", "x509"}, names: []string{"cert", "ca"}, values: certificates()},
		{words: []string{"certificate request", "csr"}, names: []string{"cert request pem"}, values: requests()},
		{words: []string{"ipv6 cidr", "ipv6 range"},
			values: []string{"2001:db8:1234:1a00::/56", "2001:db8:1234:1a00::/64", "2001:db8::/32"}},
		{words: []string{"cidr", "ip network", "network value", "address/mask", "subnet mask", "netmask",
			"prefix length"},
			names:  []string{"subnet", "ip range", "address prefix"},
			values: []string{"10.0.0.0/16", "10.0.1.0/24", "10.1.2.0/28", "10.1.2.3/32", "2001:db8::/32"}},
		{words: []string{"ip range"}, values: []string{"10.0.0.1-10.0.0.9", "10.0.0.0/16"}},
		{words: []string{"ipv6"}, values: []string{"2001:db8::1"}},
		{words: []string{"ip address", "ipv4", "valid ip"},
			names:  []string{"ip", "gateway", "nameserver", "dns servers"},
			values: []string{"10.0.0.1", "203.0.113.7", "169.254.1.1"}},
		{words: []string{"mac address"}, names: []string{"mac"}, values: []string{"02:00:5e:10:00:01"}},
		{words: []string{"12 digit", "12-digit", "account id"}, names: []string{"owner id", "principal account"},
			values: []string{"123456789012"}},
		{words: []string{"role arn"}, names: []string{"execution role", "service role", "role"},
			values: []string{"arn:aws:iam::123456789012:role/example"}},
		{words: []string{"arn", "amazon resource name"},
			values: []string{
				"arn:aws:iam::123456789012:role/example", "arn:aws:sns:us-east-1:123456789012:example", "arn:aws:s3:::example",
				"arn:aws:kms:us-east-1:123456789012:key/1f2e3d4c-5b6a-4978-8a9b-0c1d2e3f4a5b",
			}},
		{words: []string{"uuid", "guid"}, names: []string{"tenant id", "subscription id"},
			values: []string{"1f2e3d4c-5b6a-4978-8a9b-0c1d2e3f4a5b"}},
		{words: []string{"email", "e-mail"}, names: []string{"mail"}, values: []string{"user@example.com"}},
		{names: []string{"image uri", "repository uri"},
			values: []string{"123456789012.dkr.ecr.us-east-1.amazonaws.com/example:latest"}},
		{words: []string{"s3://", "s3 uri", "s3 url"}, values: []string{"s3://example/path"}},
		{words: []string{"url", "uri", "http"},
			names:  []string{"endpoint", "webhook", "callback", "href", "link", "issuer", "origin"},
			values: []string{"https://example.com", "https://example.com/path", "http://example.com"}},
		{words: []string{"duration"},
			names:  []string{"timeout", "interval", "ttl", "period", "delay", "create", "update", "delete", "read"},
			values: []string{"1s", "2s", "30s", "60", "5m", "1h", "P1D", "PT5M", "30"}},
		{words: []string{"iso 8601 duration", "iso8601 duration", "iso-8601 duration"},
			values: []string{"PT5M", "P1D"}},
		{words: []string{"time zone", "timezone"}, values: []string{"UTC", "Europe/Berlin"}},
		{words: []string{"yyyy-mm-dd"}, names: []string{"date", "birthday"},
			values: []string{"2030-01-02", "2030-01-02T03:04:05Z"}},
		{words: []string{"rfc3339", "rfc 3339", "timestamp", "iso 8601", "iso8601", "iso-8601", "date"},
			names:  []string{"time", "expires at", "expiration", "expiry", "not before", "not after"},
			values: []string{"2030-01-02T03:04:05Z", "2030-01-02", "03:04", "2030-01-02T03:04"}},
		{words: []string{"hh:mm"}, values: []string{"03:04"}},
		{words: []string{"hh24:mi", "ddd:hh"}, values: []string{"03:00-04:00", "sun:05:00-sun:06:00"}},
		{names: []string{"maintenance window"}, values: []string{"sun:05:00-sun:06:00"}},
		{names: []string{"backup window", "snapshot window"}, values: []string{"03:00-04:00"}},
		{words: []string{"cron"}, names: []string{"crontab", "schedule"},
			values: []string{"0 0 * * *", "cron(0 0 * * ? *)", "rate(1 day)"}},
		{words: []string{"json", "looking for beginning of value"},
			names: []string{"policy", "document", "definition", "template body"},
			values: []string{
				`{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}]}`,
				`{}`, `[]`, `{"name":"example"}`, `[{"name":"example"}]`,
			}},
		{words: []string{"yaml"}, values: []string{"a: b"}},
		{words: []string{"base64"}, names: []string{"b64"},
			values: []string{"ZXhhbXBsZQ==", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}},
		{words: []string{"hexadecimal", "hex string"}, names: []string{"hex", "b64 url"},
			values: []string{"0123456789abcdef"}},
		{words: []string{"sha256", "sha-256"}, names: []string{"hash", "checksum"},
			values: []string{"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}},
		{words: []string{"semver", "version"}, values: []string{"1.2.3", "1.30", "1"}},
		{names: []string{"availability zone", "az", "zone"},
			values: []string{"us-east-1a", "eu01-1", "us-central1-a", "zone1"}},
		{words: []string{"region name followed by an underscore"}, values: []string{"us-east-1_example1"}},
		{words: []string{"region"}, names: []string{"location"},
			values: []string{"us-east-1", "eu-central-1", "us-central1", "US", "eu01"}},
		{words: []string{"domain name", "hostname", "host name", "fqdn", "dns name"},
			names:  []string{"hosted zone", "zone name", "domain", "host", "server name"},
			values: []string{"www.example.com", "example.com", "example.com."}},
		{words: []string{"port number", "valid port"}, names: []string{"port"}, values: []string{"443", "8080"}},
		{words: []string{"port range"}, values: []string{"8000-9000"}},
		{names: []string{"protocol"}, values: []string{"tcp", "TCP", "HTTP", "https"}},
		{words: []string{"percent", "percentage"}, names: []string{"weight", "ratio"},
			values: []string{"50", "1", "0.5", "50%"}},
		{words: []string{"algorithm"}, values: []string{"RSA", "ED25519", "sha256", "RS256"}},
		{words: []string{"http method"}, names: []string{"method"}, values: []string{"GET", "POST"}},
		{words: []string{"country"}, values: []string{"US", "DE"}},
		{words: []string{"language code", "locale"}, names: []string{"language", "lang"},
			values: []string{"en", "en-US"}},
		{names: []string{"currency"}, values: []string{"USD"}},
		{words: []string{"phone number", "e.164"}, names: []string{"phone", "mobile"},
			values: []string{"+12025550123"}},
		{words: []string{"color"}, names: []string{"colour", "page background"}, values: []string{"#112233", "112233"}},
		{words: []string{"valid regular expression", "valid regexp"},
			names: []string{"regex", "regexp", "pattern", "regular expression"}, values: []string{"^example$"}},
		{words: []string{"mime type", "content type"}, names: []string{"media type"},
			values: []string{"application/json", "text/plain"}},
		{names: []string{"directory", "dir", "folder"}, values: []string{"/tmp", "example"}},
		{words: []string{"file path", "path to"}, names: []string{"path", "file", "filename"},
			values: []string{"/example", "example.txt", "/", "/tmp/example.zip"}},
		{names: []string{"query", "filter", "expression", "condition", "nrql"},
			values: []string{"SELECT 1", "example", "true"}},
		{words: []string{"password"}, names: []string{"passphrase", "secret", "token", "api key", "access key"},
			values: []string{"Example-Passw0rd-123456", "example1234567890", "Examplepassw0rd"}},
		{names: []string{"number", "count", "size", "days", "seconds", "minutes"}, values: []string{"10", "1", "60"}},
		{words: []string{"boolean"}, names: []string{"enabled", "enable", "disabled"},
			values: []string{"true", "false", "enabled", "ENABLED", "Enabled"}},
		{words: []string{"number", "integer", "numeric", "digits"}, values: []string{"1", "10", "123456"}},
		{words: []string{"upper case", "uppercase"}, values: []string{"EXAMPLE"}},
		{names: []string{"id"}, values: []string{"example-1", "1", "1f2e3d4c-5b6a-4978-8a9b-0c1d2e3f4a5b"}},
		{words: []string{"lower case", "lowercase", "alphanumeric", "letters", "hyphens", "special characters",
			"whitespace", "spaces"},
			values: []string{"example1", "example", "example-1", "a", "Example1", "EXAMPLE"}},
		{words: []string{"to be an empty string", "must be empty"}, values: []string{""}},
		{words: []string{"double colons"}, values: []string{"Example::Service::Type"}},
		{names: []string{"name", "title", "label", "description", "key", "value"},
			values: []string{"example", "example-1", "Example"}},
		{words: []string{"fully qualified", "trailing dot", "end with a dot"}, values: []string{"example.com."}},
		{words: []string{"ha resource identifier"}, values: []string{"vm:100"}},
		{words: []string{"no such file or directory", "not a directory"},
			values: []string{".", "example.txt", "/dev/null"}},
		{words: []string{"is a directory", "not a regular file", "not a file", "file does not exist"},
			values: []string{"example.txt", "/dev/null"}},
		{words: []string{"email domain", "suffix"}, values: []string{"example.com"}},
	}
})

// plainGuesses returns values of a primitive type.
func plainGuesses(ty cty.Type) []string {
	switch ty {
	case cty.Bool:
		return []string{"true", "false"}
	case cty.Number:
		return []string{"1", "10", "100", "60", "0", "300", "1024", "3600"}
	case cty.String:
		return []string{"example", "example-1", "1", "a"}
	}
	return nil
}

// guessesOf returns the values to try first for a slot without other slots inside. Values that the
// description lists come first, then values that the name or the description suggests, then all
// others.
func guessesOf(s *Slot) []cty.Value {
	texts := slices.Concat(listedIn(s.description), suggestedByName(s), formats(s.description))
	if len(texts) > 0 {
		if d, err := time.ParseDuration(texts[0]); err == nil && d > 0 {
			texts = append([]string{"1s", "2s"}, texts...) // an apply may take this long
		}
	}
	ty := s.LeafType()
	texts = append(texts, plainGuesses(ty)...)
	if ty == cty.String {
		texts = append(texts, oneOfEachFormat()...)
	}
	if values := valuesOf(ty, texts); values != nil {
		return values
	}
	return []cty.Value{exampleOf(ty)}
}

// exampleOf returns a value of a type for which no text is a value.
func exampleOf(ty cty.Type) cty.Value {
	if !ty.IsTupleType() {
		return cty.NullVal(ty)
	}
	var all []cty.Value
	for _, ety := range ty.TupleElementTypes() {
		element := append(valuesOf(ety, plainGuesses(ety)), exampleOf(ety))
		all = append(all, element[0])
	}
	return cty.TupleVal(all)
}

// oneOfEachFormat returns one value of each format.
var oneOfEachFormat = sync.OnceValue(func() (texts []string) {
	for _, g := range guesses() {
		texts = append(texts, g.values[0])
	}
	slices.SortStableFunc(texts, func(a, b string) int { return len(a)/64 - len(b)/64 })
	return texts
})

// valuesOf converts texts to a type. It omits texts that cannot be converted.
func valuesOf(ty cty.Type, texts []string) (values []cty.Value) {
	for _, text := range texts {
		if v, err := convert.Convert(cty.StringVal(text), ty); err == nil && !v.IsNull() {
			values = append(values, v)
		}
	}
	return values
}

// suggestedByName returns the values that the slot's name suggests. If the name is generic, it also
// uses the name of the enclosing slot.
func suggestedByName(s *Slot) []string {
	var nouns, others []string
	names := strings.Split(strings.ToLower(strings.ReplaceAll(s.Path, "_", " ")), ".")
	words := names[len(names)-1]
	if len(names) > 1 && slices.Contains([]string{"value", "values", "name"}, words) {
		words = names[len(names)-2] + " " + words
	}
	for _, g := range guesses() {
		names := slices.Concat(g.names, g.words)
		switch {
		case slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(" "+words, " "+name) }):
			nouns = append(nouns, g.values...) // the last word is the noun, so it has priority
		case slices.ContainsFunc(names, func(name string) bool { return hasPhrase(words, name) }):
			others = append(others, g.values...)
		}
	}
	return append(nouns, others...)
}

var webLink = regexp.MustCompile(`https?://\S+`)

var notWord = regexp.MustCompile(`[^\pL\pN./:+-]+`)

// formats returns example values for the formats that a text mentions.
func formats(text string) (texts []string) {
	words := notWord.ReplaceAllString(strings.ToLower(webLink.ReplaceAllString(text, "")), " ")
	for _, g := range guesses() {
		if slices.ContainsFunc(g.words, func(phrase string) bool { return hasPhrase(words, phrase) }) {
			texts = append(texts, g.values...)
		}
	}
	return texts
}

// hasPhrase reports whether the text contains the phrase between word boundaries. A plural s may
// follow the phrase.
func hasPhrase(text, phrase string) bool {
	for rest := text; ; {
		i := strings.Index(rest, phrase)
		if i < 0 {
			return false
		}
		end := i + len(phrase)
		if (i == 0 || !wordByte(rest[i-1])) && (end == len(rest) || !wordByte(rest[end]) || rest[end] == 's') {
			return true
		}
		rest = rest[end:]
	}
}

func wordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b >= 0x80
}

var oneSentence = lazy(`(?i)\b(?:valid|allowed|supported|possible|available|accepted|permitted|` +
	`one of|either|(?:must|can|should) be|options?|choose|e\.g\.|for example|example|such as|defaults? to|default|` +
	`values?)\b[^\n]*(?:\n+\s*[-*•] [^\n]*)*`)

// listedIn returns the values that a description lists.
func listedIn(description string) (texts []string) {
	for _, found := range oneSentence().FindAllString(description, -1) {
		for _, l := range lists(found) {
			for _, item := range l.items {
				if item != "" && !slices.Contains(texts, item) && len(item) < 100 {
					texts = append(texts, item)
				}
			}
		}
	}
	return texts
}
