terraform {
  required_providers {
    tls = { source = "hashicorp/tls" }
  }
}
variable "hours" { default = 24 }
resource "tls_private_key" "key" {
  algorithm = "ED25519"
}
resource "tls_cert_request" "request" {
  private_key_pem = tls_private_key.key.private_key_pem
  dns_names       = ["example.com", "www.example.com"]
  subject {
    common_name  = "example.com"
    organization = "Example"
  }
}
resource "tls_self_signed_cert" "cert" {
  private_key_pem       = tls_private_key.key.private_key_pem
  validity_period_hours = var.hours
  allowed_uses          = ["digital_signature", "server_auth"]
  subject { common_name = "example.com" }
}
data "tls_public_key" "key" {
  private_key_openssh = tls_private_key.key.private_key_openssh
}
data "tls_certificate" "cert" {
  content = tls_self_signed_cert.cert.cert_pem
}
ephemeral "tls_private_key" "short" {
  algorithm = "ED25519"
}
