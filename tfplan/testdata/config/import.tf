import {
  to = probe_thing.gen
  id = "imported-id"
}
import {
  to = probe_thing.own
  id = "own-id"
}
resource "probe_thing" "own" {
  s = "changed"
}
