package survey

import "debug/buildinfo"

// An SDK is the library with which a provider is built.
type SDK string

// The SDKs, in the order of the table.
const (
	SDKv1     SDK = "SDK v1"
	SDKv2     SDK = "SDK v2"
	Framework SDK = "framework"
	Mux       SDK = "mux" // SDK v2 and framework, combined by terraform-plugin-mux
	Other     SDK = "other"
)

var sdks = []SDK{SDKv1, SDKv2, Framework, Mux, Other}

// sdkOf returns the SDK with which the executable is built.
func sdkOf(executable string) (SDK, error) {
	info, err := buildinfo.ReadFile(executable)
	if err != nil {
		return "", err
	}
	linked := map[string]bool{}
	for _, m := range info.Deps {
		linked[m.Path] = true
	}
	return sdkAmong(linked), nil
}

// sdkAmong returns the SDK of an executable with these modules. Providers of the framework also use
// functions of SDK v2, so a provider only counts as Mux if it uses terraform-plugin-mux.
func sdkAmong(linked map[string]bool) SDK {
	const prefix = "github.com/hashicorp/terraform-plugin-"
	framework, v2 := linked[prefix+"framework"], linked[prefix+"sdk/v2"]
	switch {
	case framework && v2 && linked[prefix+"mux"]:
		return Mux
	case framework:
		return Framework
	case v2:
		return SDKv2
	case linked[prefix+"sdk"]:
		return SDKv1
	}
	return Other
}
