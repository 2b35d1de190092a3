// Package livetest contains packages that test this repository with real providers: a provider of
// terraform-plugin-framework, a provider of terraform-plugin-sdk, and a released provider. The first
// two have a resource for each rule that their SDK lets a provider break. If the terraform command
// is available, its behavior is the reference.
//
//   - lifecycle: the driver and the checking servers
//   - watch, explore, explain: the commands of objchange, with providers in separate processes
//   - documents: the code and the examples in the documents
//   - examples: complete examples, which the documents show
//   - provider: the two test providers as a program
package livetest
