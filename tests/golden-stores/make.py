#!/usr/bin/python3
"""Makes a golden store of the format that $DOLMEN_BIN writes: NAME.tar.gz with the data directory of a server that was killed, and
NAME.json with everything that must be read from it. NAME.keys, if there is one, has the keys of its encrypted tables.

    DOLMEN_BIN=build/release/bin/dolmen tests/golden-stores/make.py format-1
    DOLMEN_BIN=build/release/bin/dolmen tests/golden-stores/make.py format-2 --encrypted

A store is made once, by the release that brings its format, and never again.
"""

import argparse
import json
import pathlib
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "system"))

from dolmen_server import Server, run  # noqa: E402
from golden_store import everything, settings_of  # noqa: E402


def items():
    for i in range(12):
        yield {"pk": {"S": f"p{i % 3}"}, "sk": {"N": str(i)}, "kind": {"S": f"kind{i % 4}"}, "expires": {"N": str(4_000_000_000 + i)},
               "data": {"B": "AAEC/w=="}, "tags": {"SS": ["a", "b"]}, "numbers": {"NS": ["1", "-2.5", "3e100"]},
               "nested": {"M": {"list": {"L": [{"NULL": True}, {"BOOL": False}, {"N": "0.1"}]}}}}


def fill(server, encryption):
    server.must("CreateTable", encryption | {
        "TableName": "things", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
                                 {"AttributeName": "kind", "AttributeType": "S"}],
        "LocalSecondaryIndexes": [{"IndexName": "local", "Projection": {"ProjectionType": "KEYS_ONLY"}, "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "kind", "KeyType": "RANGE"}]}],
        "GlobalSecondaryIndexes": [{"IndexName": "global", "Projection": {"ProjectionType": "ALL"}, "KeySchema": [
            {"AttributeName": "kind", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]}],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}})
    server.must("UpdateTimeToLive", {"TableName": "things", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "expires"}})
    server.must("UpdateContinuousBackups", {"TableName": "things", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
    for item in items():
        server.must("PutItem", {"TableName": "things", "Item": item})


def change(server):
    """Rows that stay in the log."""
    key = {"pk": {"S": "p1"}, "sk": {"N": "1"}}
    server.must("UpdateItem", {"TableName": "things", "Key": key, "UpdateExpression": "SET kind = :k",
                               "ExpressionAttributeValues": {":k": {"S": "changed"}}})
    server.must("DeleteItem", {"TableName": "things", "Key": {"pk": {"S": "p0"}, "sk": {"N": "0"}}})
    server.must("TransactWriteItems", {"ClientRequestToken": "golden", "TransactItems": [
        {"Put": {"TableName": "things", "Item": {"pk": {"S": "new"}, "sk": {"N": str(n)}}}} for n in (1, 2)]})


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name")
    parser.add_argument("--encrypted", action="store_true", help="encrypt the table with a key of NAME.keys, which is made")
    options = parser.parse_args()
    encryption = {}
    if options.encrypted:
        made = run("keys", "create", HERE / f"{options.name}.keys", "--id", "golden")
        assert made.code == 0, made
        encryption["SSESpecification"] = {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": "golden"}
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data"
        settings = settings_of(HERE / f"{options.name}.tar.gz", folder)
        with Server(data=data, variables=settings) as server:
            fill(server, encryption)
            server.stop()
        with Server(data=data, variables=settings) as server:
            change(server)
            expected = everything(server)
            server.kill()
            with tarfile.open(HERE / f"{options.name}.tar.gz", "w:gz") as archive:
                # RocksDB's information logs and its options are not needed, and tell of this machine.
                archive.add(data, "data", filter=lambda info: None if pathlib.Path(info.name).name.startswith(("LOG", "OPTIONS"))
                            and not info.name.endswith("/LOGS") else info)
        (HERE / f"{options.name}.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
