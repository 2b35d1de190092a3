// Package watch runs a command with proxies in the place of the providers that
// Terraform or OpenTofu in it uses, and judges what passes: see proxy.
package watch
