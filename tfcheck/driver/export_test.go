package driver

// StartTimeout limits the time until a provider responds.
var StartTimeout = &startTimeout
