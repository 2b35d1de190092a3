variable "e" {
  default   = "x"
  ephemeral = true
}
resource "probe_thing" "a" {
  wo = var.e
  bs { a = nonsensitive("x") }
}
check "c" {
  data "probe_data" "d" { s = "q" }
  assert {
    condition     = data.probe_data.d.s == "q"
    error_message = "x"
  }
}
