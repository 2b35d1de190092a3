package terminal

// Patience is how long a Progress shows nothing.
var Patience = &patience
