variable "plain" { default = "p" }
variable "given" { type = number }
variable "num" {
  type    = number
  default = "60"
}
variable "nodef" { default = null }
variable "secret" {
  default   = "CANARY"
  sensitive = true
}
variable "obj" {
  type    = object({ a = optional(string, "dflt"), n = optional(number) })
  default = { n = "3" }
}
variable "lst" {
  type    = set(string)
  default = ["b", "a", "a"]
}
locals { l = "loc" }
resource "probe_thing" "a" {
  s   = var.plain
  n   = var.given
  s2  = upper(var.plain)
  oc  = local.l
  sec = var.secret
  ls  = [var.plain, "x"]
  ms  = { a = var.plain, b = "x" }
  o   = var.obj
  dyn = var.lst
  ss  = var.lst
  ns  = { a = var.plain, n = "3" }
  nl  = [{ a = var.plain }, { a = "y" }]
  wo  = var.secret
  b   = var.plain == "p"
  bs { a = var.plain }
  bl { a = "x${var.plain}${var.secret}" }
  bm "k" { a = var.obj.a }
  bg { a = var.plain }
}
resource "probe_thing" "b" {
  s   = probe_thing.a.id
  s2  = probe_thing.a.s
  oc  = probe_thing.a.nl[0].a
  ms  = { for k, v in probe_thing.a.ms : k => v }
  ls  = probe_thing.c[*].s
  sec = probe_thing.c[0].s
  o   = probe_thing.a.o
  bs { a = probe_thing.d["k"].s }
  bg { a = probe_thing.d[var.plain].s }
  bl { a = one(probe_thing.c).s }
  bl { a = data.probe_data.d.s }
}
resource "probe_thing" "c" {
  count = 1
  s     = count.index
  s2    = "x${count.index}"
}
resource "probe_thing" "d" {
  for_each = { k = "v", p = "w" }
  s        = each.key
  s2       = each.value
}
data "probe_data" "d" {
  s = var.plain
  bl { a = "q" }
}
variable "o" { default = { a = "x", b = "y" } }
resource "probe_thing" "several" {
  ms  = merge(var.o, { q = var.o.a })
  s   = "${var.o.a}${var.o.b}"
  s2  = var.o["a"]
  ls  = [for k, v in var.o : v]
  dyn = merge({ q = var.o.a }, var.o)
}
