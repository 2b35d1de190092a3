variable "v" { default = "80" }
resource "sdk_thing" "full" {
  name     = "NAME"
  lower    = "XYZ"
  float    = 0.25
  count_of = 4
  flag     = false
  comp     = "c"
  tags     = { a = "x", b = "", c = null }
  zones    = ["b", "a"]
  list     = ["", "x"]
  force    = "f"
  wo       = "w"
  rule {
    port = 81
  }
  rule {}
  srule {
    port = var.v
  }
  srule {
    port = 7
    open = false
    name = ""
  }
  dynamic "srule" {
    for_each = [1, 2]
    content { port = 90 + srule.value }
  }
  one {
    proto = "udp"
    cidrs = []
  }
  attr {
    port = 1
  }
  sattr {
    port  = 2
    proto = "tcp"
  }
  timeouts { create = "5m" }
  lifecycle {
    ignore_changes = [lower, rule[0].port, tags["a"], srule]
  }
}
resource "sdk_thing" "empty" {
}
resource "sdk_thing" "zeros" {
  name     = ""
  count_of = 0
  flag     = false
  tags     = {}
  zones    = []
  list     = []
  sattr    = []
  one {}
  srule {}
}
