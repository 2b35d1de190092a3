resource "probe_thing" "a" {
  s    = upper("x")
  n    = "60"
  b    = "true"
  s2   = null
  oc   = timestamp()
  sec  = sensitive("topsecret")
  wo   = "woval"
  ls   = ["a", upper("b"), 3]
  ss   = toset(["a", "b", "a"])
  ms   = { a = "x", (upper("k")) = 1 }
  lo   = [{ a = "x", n = "1" }]
  o    = { a = "x", n = 1, extra = 2 }
  dyn  = { a = 1, b = "x" }
  ns   = { a = "x" }
  nl   = [{ a = "x", n = "2" }, { a = null, oc = "q" }]
  nset = [{ a = "x" }]
  nm   = { k = { a = upper("z") } }
  bs { a = "x" }
  bg {}
  bl {
    a = "1"
    inner { a = "z" }
    lo = [{ a = "x", n = 1 }]
  }
  bl { n = "5" }
  bset { a = 1 }
  bm "k" { a = "x" }
}
resource "probe_thing" "none" {
}
resource "probe_thing" "ops" {
  n  = 1 + 1
  s  = "x${1}y"
  s2 = "x${"y"}"
  b  = !true
  oc = true ? "a" : "b"
  ls = [for x in ["a", "b"] : x]
  ms = { for x in ["a"] : x => x }
  o = { a = <<-EOT
    hello
    EOT
  n = -1 }
  lo = [{ a = null, n = null }]
  ss = []
  so = null
  nl = []
  nm = {}
  ns = null
  bs { n = (2) }
  bl { a = "z" }
}
resource "probe_thing" "heredoc" {
  s  = <<EOT
x
EOT
  n  = 1e3
  s2 = "a\u00e9${"$"}{x}$${y}"
  oc = path.module
  ms = { (path.module) = "x" }
  o  = { "a" : terraform.workspace, "n" : null }
}
resource "probe_thing" "big" {
  n  = 123456789012345678901234567890.123456789
  s  = 123456789012345678901234567890.123456789
  s2 = 1.10
  oc = true
  b  = false
  ls = [1.0, 1e30, true, null]
}
resource "probe_thing" "numbers" {
  n   = 1 / 3
  s   = 1 / 3
  s2  = 0.1 + 0.2
  ls  = [0.1, 1e-10, 1e21]
  dyn = true ? 1 : "a"
  bs { n = 0.1 + 0.2 }
  bl { n = 0.3 }
}
resource "probe_thing" "extra" {
  ns = { a = "x", zzz = 1 }
}

resource "terraform_data" "dynamic" {
  input            = { a = [1, "x", null], b = { c = true } }
  triggers_replace = null
}
