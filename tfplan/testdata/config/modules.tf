# main.tf
variable "top" { default = "T" }
variable "s" {
  default   = "CANARY"
  sensitive = true
}
module "one" {
  source = "./m"
  req    = var.top
  nn     = null
  num    = "60"
  obj    = { n = "3" }
  sec    = var.s
}
module "each" {
  source   = "./m"
  for_each = { x = "vx", y = "vy" }
  req      = each.value
  opt      = each.key
}
module "cnt" {
  source     = "./m"
  count      = 2
  req        = "r${count.index}"
  opt        = count.index
  depends_on = [probe_thing.z]
}
resource "probe_thing" "z" {
  s  = module.one.x
  s2 = module.each["x"].x
  lifecycle {
    ignore_changes        = [s]
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "echo ${self.s}"
  }
  connection {
    host = "x"
  }
  depends_on = [module.one]
}
moved {
  from = probe_thing.old
  to   = probe_thing.z
}
# m/main.tf
variable "req" {}
variable "num" {
  type    = number
  default = 5
}
variable "nn" {
  default  = "dfl"
  nullable = false
}
variable "opt" { default = "unset" }
variable "obj" {
  type    = object({ a = optional(string, "D"), n = optional(number) })
  default = null
}
variable "sec" {
  default   = ""
  sensitive = true
}
resource "probe_thing" "a" {
  s   = var.req
  s2  = var.nn
  n   = var.num
  oc  = var.opt
  o   = var.obj
  sec = var.sec
  ls  = [var.sec]
}
module "in" {
  source = "./inner"
  deep   = var.req
  konst  = "k"
}
output "x" { value = probe_thing.a.s }
# m/inner/main.tf
variable "deep" {}
variable "konst" {}
resource "probe_thing" "deep" {
  s  = var.deep
  s2 = var.konst
}
