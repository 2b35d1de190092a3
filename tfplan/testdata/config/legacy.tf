resource "old_thing" "a" {
  s  = ""
  n  = 0
  ls = []
  bl {}
  sec = sensitive("x")
}
