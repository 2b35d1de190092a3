// Package livetest checks real providers with package tfcheck: a provider of
// terraform-plugin-framework, a provider of terraform-plugin-sdk, and a released provider. The
// first two have a resource for each rule that their SDK lets a provider break. If the terraform
// command is available, its behavior is the reference. livetest is a separate module, because
// modules that import tfcheck should not depend on the SDKs.
package livetest
