terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
variable "zones" {
  type    = list(string)
  default = ["a", "b", "c"]
}
variable "minimum" { default = 1 }
resource "random_pet" "name" {
  keepers = { zones = join("-", var.zones) }
  prefix  = "web"
}
resource "random_integer" "port" {
  min = var.minimum
  max = 50000
}
resource "random_shuffle" "zones" {
  input        = var.zones
  result_count = 2
}
resource "random_string" "suffix" {
  length  = 8
  special = false
  keepers = { name = random_pet.name.id }
}
resource "random_id" "bucket" {
  byte_length = 4
  prefix      = "logs-"
}
