#!/usr/bin/env python3
"""An adapter to begin with, of Python's standard library alone.

It does one operation for simple schemas, and says of the rest that it does not. Run it as

    objchange-conformance --values json -- python3 conformance/adapters/python/adapter.py

and put your own implementation in the place of `proposed`.
"""

import json
import sys
from decimal import Decimal


class Unsupported(Exception):
    """The question is not for this implementation."""


def proposed(block, prior, config):
    """What Terraform proposes to the provider; see "What is proposed" in docs/semantics.md."""
    attributes = block.get("attributes", {})
    if block.get("block_types"):
        raise Unsupported("blocks")
    if any("nested_type" in attribute for attribute in attributes.values()):
        raise Unsupported("nested attributes")

    # The object as a whole: one that is to be deleted, or that is not known.
    if is_null(config) or is_unknown(config):
        return config
    if is_null(prior):  # the object is to be created
        prior = dict.fromkeys(attributes)
    if is_unknown(prior):
        raise Unsupported("an unknown prior state")

    # What the configuration leaves to the provider is as it was.
    result = {}
    for name, attribute in attributes.items():
        keep = is_null(config[name]) and attribute.get("computed", False)
        result[name] = prior[name] if keep else config[name]
    return result


def is_null(value):
    """Where any type may be, null can come with one."""
    if isinstance(value, dict) and "$typed" in value:
        value = value["$typed"]["value"]
    return value is None


def is_unknown(value):
    """Unknown values are objects with the one key $unknown."""
    return isinstance(value, dict) and "$unknown" in value


OPERATIONS = {"proposed": proposed}


def answer(schemas, case):
    """One question is answered with a value, with errors, or with unsupported."""
    operation = OPERATIONS.get(case["op"])
    if operation is None:
        return {"unsupported": "only proposed"}
    try:
        return {"value": operation(schemas[case["schema"]], **case["in"])}
    except Unsupported as reason:
        return {"unsupported": str(reason)}


def main():
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    schemas = {}  # by name, until the name is given to another one
    for text in sys.stdin:
        # Numbers are decimals: a float would lose digits, and the answer be another value.
        line = json.loads(text, parse_float=Decimal)
        if "schema_name" in line:
            schemas[line["schema_name"]] = line["block"]
        elif "op" in line:
            reply = {"id": line["id"], "op": line["op"], **answer(schemas, line)}
            # A decimal is written as text, which stands for a number as well. Without
            # flush, the answer would stay here, and the next question never come.
            print(json.dumps(reply, default=str), flush=True)


if __name__ == "__main__":
    main()
