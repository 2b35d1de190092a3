#!/usr/bin/env python3
"""An example adapter that uses only the standard library of Python.

It implements the operation "proposed" for schemas without blocks and nested attributes, and
answers all other cases with "unsupported". Run it as

    objchange-conformance --values json -- python3 conformance/adapters/python/adapter.py

and replace `proposed` with your own implementation.
"""

import json
import sys
from decimal import Decimal


class Unsupported(Exception):
    """The implementation does not support the case."""


def proposed(block, prior, config):
    """Return the proposed new state. See section 3 of docs/specification.md."""
    attributes = block.get("attributes", {})
    if block.get("block_types"):
        raise Unsupported("blocks")
    if any("nested_type" in attribute for attribute in attributes.values()):
        raise Unsupported("nested attributes")

    # The configuration deletes the object, or is unknown as a whole.
    if is_null(config) or is_unknown(config):
        return config
    if is_null(prior):  # the object does not exist yet
        prior = dict.fromkeys(attributes)
    if is_unknown(prior):
        raise Unsupported("an unknown prior state")

    # Keep the prior value of each computed attribute that is not configured.
    result = {}
    for name, attribute in attributes.items():
        keep = is_null(config[name]) and attribute.get("computed", False)
        result[name] = prior[name] if keep else config[name]
    return result


def is_null(value):
    """Report whether the value is null. A null value of a dynamic attribute is inside $typed."""
    if isinstance(value, dict) and "$typed" in value:
        value = value["$typed"]["value"]
    return value is None


def is_unknown(value):
    """Report whether the value is unknown: an object with the key $unknown."""
    return isinstance(value, dict) and "$unknown" in value


OPERATIONS = {"proposed": proposed}


def answer(schemas, case):
    """Return the answer to a case: a value, errors or unsupported."""
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
    schemas = {}  # by name; a later schema with the same name replaces the earlier one
    for text in sys.stdin:
        # Parse numbers as decimals, because a float would lose digits.
        line = json.loads(text, parse_float=Decimal)
        if "schema_name" in line:
            schemas[line["schema_name"]] = line["block"]
        elif "op" in line:
            reply = {"id": line["id"], "op": line["op"], **answer(schemas, line)}
            # Decimals are written as strings, which the runner accepts as numbers. Flush each
            # answer, because the runner waits for it before it sends the next case.
            print(json.dumps(reply, default=str), flush=True)


if __name__ == "__main__":
    main()
