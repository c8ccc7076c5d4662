"""Rebuilds a table from the records of its stream, and refuses records that cannot be true.

Every write of a test gives its item a `write` of its own, so a state of an item is begun by one record and ended by at most
one. Items expire by their attribute `expires`.
"""

import json

SERVICE = {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}


def text_of(node):
    return json.dumps(node, sort_keys=True)


class Replay:
    def __init__(self, shards, keys):
        """`shards` has a list of records for each shard; `keys` names the attributes of the table's key."""
        self._keys = keys
        self._shard_of = {}    # by item: the shard of its records
        self._last = {}        # by shard: its last sequence number
        self._event_ids = set()
        self.items = {}        # by key as text: the item
        self.begun = set()     # the writes that made a state of an item
        self.removed = set()   # the writes whose state was removed from the table
        self.expired = 0
        self.count = 0
        for shard, records in shards.items():
            self.go_on(shard, records)

    def go_on(self, shard, records):
        """Takes further records of a shard."""
        for record in records:
            self._take(shard, record)

    def _take(self, shard, record):
        change = record["dynamodb"]
        number = int(change["SequenceNumber"])
        self._expect(number > self._last.get(shard, 0), "its sequence number does not ascend", record)
        self._last[shard] = number
        self._expect(record["eventID"] not in self._event_ids, "its eventID was there before", record)
        self._event_ids.add(record["eventID"])
        item = text_of(change["Keys"])
        self._expect(self._shard_of.setdefault(item, shard) == shard, "its item has records in two shards", record)
        self._check_images(record, item)
        self._apply(record, item)
        self.count += 1

    def _check_images(self, record, item):
        change = record["dynamodb"]
        old, new = change.get("OldImage"), change.get("NewImage")
        for image in (old, new):
            if image is not None:
                keys = {name: image[name] for name in self._keys}
                self._expect(keys == change["Keys"], "its keys are not its image's", record)
        names = {(True, False): "REMOVE", (False, True): "INSERT", (True, True): "MODIFY"}
        name = names.get((old is not None, new is not None))
        self._expect(record["eventName"] == name, "its name does not fit its images", record)
        self._expect(old != new, "it changes nothing", record)
        self._expect(old == self.items.get(item), f"its old image is not the item before it, {self.items.get(item)}", record)

    def _apply(self, record, item):
        new = record["dynamodb"].get("NewImage")
        if new is None:
            removed = self.items.pop(item)
            self.removed.add(removed["write"]["S"])
            if "userIdentity" in record:
                self._check_expiry(record, removed)
        else:
            write = new["write"]["S"]
            self._expect("userIdentity" not in record, "only removals are the service's", record)
            self._expect(write not in self.begun, "its write was there before", record)
            self.begun.add(write)
            self.items[item] = new

    def _check_expiry(self, record, removed):
        self._expect(record["userIdentity"] == SERVICE, "it says something else of the service", record)
        due, now = removed.get("expires", {}).get("N"), record["dynamodb"]["ApproximateCreationDateTime"]
        self._expect(due is not None and int(due) <= now, "its item had time left", record)
        self.expired += 1

    @staticmethod
    def _expect(holds, complaint, record):
        if not holds:
            raise AssertionError(f"a record is wrong: {complaint}\n{json.dumps(record)[:3000]}")
