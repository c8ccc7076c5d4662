"""What a golden store must give: see tests/golden-stores/make.py."""


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
