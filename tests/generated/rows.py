"""Writes, checks and updates one row with generated Python (tests/system/generated_rows_test.py).

    python3 rows.py FOLDER URL write|check|update|cursor PK [NUMBER]

FOLDER holds the package `models`. A check compares with the record that every language has written down for itself.
"""

import sys
from decimal import Decimal

import boto3

sys.path.insert(0, sys.argv[1])
from models import dolmen_support as dms  # noqa: E402
from models.sample import SAMPLE, Sample, sample_key, sample_update  # noqa: E402

NOW = "2026-01-16T01:02:03.000000000Z"


class Keys(dms.KeyProvider):
    """Keeps no secret: a key is stored as it is. Every language has its own keys, and reads those of the others."""

    def generate(self, model, attribute):
        key = f"python|{attribute}".ljust(32, "-").encode()
        return key, key

    def decrypt(self, encrypted, model, attribute):
        return encrypted


def full(pk):
    return Sample(
        pk=pk, sk=Decimal(1), text="Grüße <&> \u2028", number=Decimal("12345678901234567890.5"), flag=True, blob=b"b\x00",
        list_=[Decimal(1), "two", None, [True]], map={"a": Decimal("0.1"), "b": {"c": b"x"}}, strings={"s", "t"},
        numbers={Decimal(1), Decimal("2.5")}, blobs={b"x", b"y"}, json={"b": [1, 2.5, 1e-7, None], "a": "é <&>"},
        moment="2026-01-16T01:02:03.000000004Z", seconds=1700000000, whole=-9007199254740993,
        exact=Decimal("0.00000000000000000000000000000001"), vector=[0.1, -1.0, 1e-7], expires=4100000000, group="g", rank=Decimal(3),
        secret_text="hidden <&> é", secret_number=Decimal("1.5"), secret_flag=True, secret_blob=b"\x00\xff",
        secret_list=[Decimal(1), "x"], secret_map={"a": Decimal(1)}, secret_strings={"p", "q"},
        secret_numbers={Decimal(3)}, secret_blobs={b"z"}, secret_json={"k": [1]})


def main():
    _, _, url, operation, pk, *number = sys.argv
    if operation == "cursor":
        key = {"PK": pk, "SK": Decimal(1)}
        cursor = dms.encode_cursor(key, "by-group", "DESC")
        assert dms.decode_cursor(cursor, "by-group", "DESC") == key
        print(cursor)
        return
    table = boto3.resource("dynamodb", endpoint_url=url, region_name="us-east-1").Table("samples")
    keys = Keys()
    wanted = full(pk)
    if operation == "write":
        table.put_item(**SAMPLE.create(wanted, now=NOW, keys=keys))
        return
    found = SAMPLE.decode(table.get_item(Key=sample_key(pk, Decimal(1)))["Item"], keys=keys)
    if operation == "update":
        found.whole = int(number[0])
        found.text_or_not = ""
        table.update_item(**sample_update(found, ["whole", "text_or_not"], now=NOW, keys=keys))
        return
    wanted.created_at = wanted.updated_at = NOW
    if number:
        wanted.version, wanted.whole = int(number[0]), int(number[0])
    if found != wanted:
        sys.exit(f"found  {found}\nwanted {wanted}")


main()
