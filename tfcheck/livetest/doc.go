// Package livetest checks real providers with package tfcheck: one made with
// terraform-plugin-framework and one with terraform-plugin-sdk, each with a resource
// for every rule that its SDK lets a provider break, and a released one. Where there
// is a terraform command, it decides what is right. livetest is a module of its own
// to keep the SDKs out of the modules that import tfcheck.
package livetest
