// Package livetest takes real providers through package tfcheck: one written with
// terraform-plugin-framework, one with terraform-plugin-sdk, both with a resource
// for each rule that their SDK lets them break, and a released one. Where
// there is a terraform command, that has the last word about them. It has only
// tests, and adapter, which holds the framework's own planning to the corpus of package
// conformance; it is a module of its own to keep the SDKs away from who uses tfcheck.
package livetest
