variable "l" { default = ["a", "b"] }
resource "probe_thing" "a" {
  dynamic "bl" {
    for_each = var.l
    content { a = bl.value }
  }
  bl { a = "static" }
  dynamic "bset" {
    for_each = ["x"]
    content { a = "const" }
  }
  dynamic "bs" {
    for_each = ["x"]
    content { a = "const" }
  }
  dynamic "bg" {
    for_each = ["x"]
    content { a = "const" }
  }
  dynamic "bm" {
    for_each = ["x"]
    labels   = ["k"]
    content { a = "const" }
  }
}
resource "probe_thing" "b" {
  bl {
    a = "static"
    dynamic "inner" {
      for_each = ["x"]
      content { a = "const" }
    }
  }
  bl {
    a = "w"
    inner { a = "s" }
    dynamic "inner" {
      for_each = var.l
      content { a = "const" }
    }
  }
}
resource "probe_thing" "c" {
  dynamic "bl" {
    for_each = []
    content { a = bl.value }
  }
}
