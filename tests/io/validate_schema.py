#!/usr/bin/python3
"""Checks model files against a JSON Schema: validate_schema.py SCHEMA FOLDER...   Exit code 1 when one does not fit."""
import json
import pathlib
import sys

import jsonschema
import yaml

schema = json.load(open(sys.argv[1], encoding="utf-8"))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failed = False
for folder in sys.argv[2:]:
    for path in sorted(pathlib.Path(folder).glob("*.yaml")):
        for error in validator.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8"))):
            failed = True
            print(f"{path}: {'.'.join(map(str, error.absolute_path))}: {error.message}")
sys.exit(1 if failed else 0)
