resource "old_thing" "a" {
  lo {
    a = "x"
    n = 1
  }
  lo { a = "y" }
  so { a = "z" }
}
resource "old_thing" "b" {
  lo = [{ a = "x", n = 1 }, { a = "y", n = null }]
  so = []
  bl {
    lo { a = "x" }
  }
}
resource "old_thing" "c" {
  dynamic "lo" {
    for_each = ["x"]
    content { a = lo.value }
  }
}
resource "old_thing" "none" {
}
variable "l" { default = ["a", "b"] }
resource "old_thing" "mixed" {
  lo { a = "s" }
  dynamic "lo" {
    for_each = ["x"]
    content { a = "const" }
  }
}
resource "old_thing" "refs" {
  lo {
    a = var.l[0]
    n = 1
  }
  lo { a = "const" }
}
resource "old_thing" "dynref" {
  lo { a = "const" }
  dynamic "lo" {
    for_each = var.l
    content { a = lo.value }
  }
}
resource "old_thing" "func" {
  lo {
    a = upper("x")
    n = 1
  }
}
resource "old_thing" "inblock" {
  bl {
    dynamic "lo" {
      for_each = var.l
      content { a = lo.value }
    }
  }
}
data "old_data" "d" {
  dynamic "lo" {
    for_each = var.l
    content { a = lo.value }
  }
}
resource "old_thing" "deep" {
  deep {
    a = "x"
    in { a = "static" }
    dynamic "in" {
      for_each = ["p", "q"]
      content { a = "c" }
    }
  }
}
resource "old_thing" "deep2" {
  deep {
    a = "x"
  }
  dynamic "lo" {
    for_each = []
    content { a = "c" }
  }
}
