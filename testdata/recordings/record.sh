#!/usr/bin/env bash
# Creates the recordings of this folder again, in the current folder, which must be empty except
# for copies of the folders random, time and tls with their main.tf. It needs Go, git, terraform
# and objchange.
set -euo pipefail

# The framework supports both protocols, so a change of one line builds tls for protocol 6.
mkdir bin
GOBIN=$PWD/bin go install github.com/hashicorp/terraform-provider-time@v0.14.2
git clone --branch v3.9.0 --depth 1 https://github.com/hashicorp/terraform-provider-random random-provider
git clone --branch v4.3.0 --depth 1 https://github.com/hashicorp/terraform-provider-tls tls-provider
sed -i 's/ProtocolVersion: 5/ProtocolVersion: 6/' tls-provider/main.go
(cd random-provider && go build -o ../bin/terraform-provider-random)
(cd tls-provider && go build -o ../bin/terraform-provider-tls)

# Each provider has its own CLI configuration, because a recording contains the schemas of all
# providers that watch starts.
for p in time random tls; do
	printf 'provider_installation {\n  dev_overrides {\n    "hashicorp/%s" = "%s"\n  }\n  direct {}\n}\n' $p "$PWD/bin" >$p.tfrc
done

run() { # PROVIDER NAME WATCH-FLAG FLAG...: plans and applies
	(
		export TF_CLI_CONFIG_FILE=$PWD/$1.tfrc
		cd "$1"
		name=$2 flag=$3
		shift 3
		objchange watch --record "$name" "$flag" -- sh -ec 'terraform plan -out=plan "$@"; terraform apply plan' sh "$@"
		terraform show -json plan >"$name/plan.json"
		terraform show -json >"$name/state.json"
	)
}
run time 1-create --all
run time 2-noop --all
run time 3-update --all -var days=60
run time 4-replace --all -var days=60 -var label=second
run time 5-destroy --all -destroy
run random 1-create --all
run random 2-change --all -var minimum=1024 -var 'zones=["a","b","d"]'
run random 3-destroy --all -destroy
run tls 1-create --redact
run tls 2-replace --redact -var hours=48
run tls 3-destroy --redact -destroy
(cd time && TF_CLI_CONFIG_FILE=$PWD/../time.tfrc terraform providers schema -json >schemas.json)
rm random/*/plan.json random/*/state.json tls/*/plan.json tls/*/state.json
