"""What a golden store must give: see tests/golden-stores/make.py."""

import pathlib
import shutil


def settings_of(store, folder):
    """The settings that open a store, which is named by its archive. Its keys, if it has some, are copied into a folder: nobody else may
    read a file of keys."""
    keys = store.with_suffix("").with_suffix(".keys")
    if not keys.exists():
        return {}
    copy = pathlib.Path(folder) / keys.name
    shutil.copyfile(keys, copy)
    copy.chmod(0o600)
    return {"DOLMEN_TABLE_KEYS": str(copy)}


def pages(server, operation, body, list_name):
    found, start = [], None
    while True:
        answer = server.must(operation, dict(body, **({"ExclusiveStartKey": start} if start else {})))
        found += answer[list_name]
        start = answer.get("LastEvaluatedKey")
        if not start:
            return found


def everything(server):
    """All that clients can read of the tables of a store. Not their streams, which end after a day."""
    found = {}
    for name in server.must("ListTables", {})["TableNames"]:
        table = server.must("DescribeTable", {"TableName": name})["Table"]
        found[name] = {
            "items": pages(server, "Scan", {"TableName": name}, "Items"),
            "count": table["ItemCount"], "bytes": table["TableSizeBytes"],
            "indexes": {index["IndexName"]: pages(server, "Scan", {"TableName": name, "IndexName": index["IndexName"]}, "Items")
                        for index in table.get("LocalSecondaryIndexes", []) + table.get("GlobalSecondaryIndexes", [])},
            "time_to_live": server.must("DescribeTimeToLive", {"TableName": name})["TimeToLiveDescription"],
        }
    return found
