resource "terraform_data" "trig" { input = "b" }
resource "probe_thing" "forced" {
  s = "new"
  lifecycle {
    ignore_changes = [s]
  }
}
resource "probe_thing" "triggered" {
  s = "new"
  lifecycle {
    ignore_changes       = [s]
    replace_triggered_by = [terraform_data.trig.input]
  }
}
