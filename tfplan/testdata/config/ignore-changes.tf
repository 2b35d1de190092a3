resource "probe_thing" "u" {
  s  = "new"
  n  = 2
  ms = { a = "x2", b = "y2", c = "z2" }
  o  = { a = "x2", n = 2 }
  bl { a = "x2" }
  bl { a = "y2" }
  nl = [{ a = "x2", n = 2 }, { a = "z" }]
  lifecycle {
    ignore_changes = [s, ms["a"], ms["c"], o.a, nl[0].a, bl]
  }
}
resource "probe_thing" "r" {
  s  = "new"
  s2 = "force-new"
  bl { a = "x2" }
  bl { a = "x3" }
  lifecycle {
    ignore_changes = [s, bl]
  }
}
resource "probe_thing" "t" {
  s = "new"
  lifecycle {
    ignore_changes = [s]
  }
}
