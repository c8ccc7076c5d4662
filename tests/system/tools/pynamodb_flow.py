"""PynamoDB: models with an index, versions, batches, transactions and time to live."""

import datetime
import os
import time
import unittest

from pynamodb.attributes import (JSONAttribute, ListAttribute, MapAttribute, NumberAttribute, TTLAttribute,
                                 UnicodeAttribute, UnicodeSetAttribute, UTCDateTimeAttribute, VersionAttribute)
from pynamodb.connection import Connection
from pynamodb.exceptions import DoesNotExist, PutError, TransactWriteError, UpdateError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex, KeysOnlyProjection, LocalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite

URL = os.environ["DOLMEN_URL"]
PATIENCE_S = 60


class ByState(GlobalSecondaryIndex):
    class Meta:
        index_name, projection = "by-state", AllProjection()

    state = UnicodeAttribute(hash_key=True)
    total = NumberAttribute(range_key=True)


class ByDay(LocalSecondaryIndex):
    class Meta:
        index_name, projection = "by-day", KeysOnlyProjection()

    customer = UnicodeAttribute(hash_key=True)
    day = UnicodeAttribute(range_key=True)


class Address(MapAttribute):
    city = UnicodeAttribute()
    zip = UnicodeAttribute(null=True)


class Order(Model):
    class Meta:
        table_name, host, region, billing_mode = "orders", URL, "us-east-1", "PAY_PER_REQUEST"

    customer = UnicodeAttribute(hash_key=True)
    number = NumberAttribute(range_key=True)
    state = UnicodeAttribute(default="open")
    total = NumberAttribute(default=0)
    day = UnicodeAttribute(null=True)
    tags = UnicodeSetAttribute(null=True)
    lines = ListAttribute(default=list)
    address = Address(null=True)
    extra = JSONAttribute(null=True)
    made = UTCDateTimeAttribute(null=True)
    expires = TTLAttribute(null=True)
    version = VersionAttribute()
    by_state, by_day = ByState(), ByDay()


class PynamoDbTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        Order.create_table(wait=True)

    def test_a_model_is_saved_with_versions_updated_and_deleted(self):
        made = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)
        order = Order("ada", 1, tags={"gift"}, address=Address(city="Carnac"), extra={"a": [1]}, made=made)
        order.save(Order.customer.does_not_exist())
        stale = Order.get("ada", 1, consistent_read=True)
        self.assertEqual((stale.made, stale.extra, stale.address.city), (made, {"a": [1]}, "Carnac"))
        order.update(actions=[Order.total.add(5), Order.lines.set(Order.lines.append(["menhir"])), Order.tags.add({"big"}),
                              Order.address.zip.set("56340")], condition=Order.total == 0)
        self.assertEqual((order.total, order.lines, order.tags, order.version), (5, ["menhir"], {"big", "gift"}, 2))
        with self.assertRaises(PutError):
            stale.save()
        with self.assertRaises(UpdateError):
            order.update(actions=[Order.total.set(0)], condition=Order.total > 100)
        order.delete()
        with self.assertRaises(DoesNotExist):
            Order.get("ada", 1)

    def test_batches_pages_and_indexes(self):
        with Order.batch_write() as batch:
            for number in range(60):
                batch.save(Order("bob", number, total=number, day=f"d{number % 3}", state="open" if number % 2 else "paid"))
        self.assertEqual(len(list(Order.batch_get([("bob", number) for number in range(60)]))), 60)
        pages = Order.query("bob", Order.number >= 10, page_size=20, limit=45)
        self.assertEqual([order.number for order in pages], list(range(10, 55)))
        rest = Order.query("bob", last_evaluated_key=pages.last_evaluated_key)
        self.assertEqual([order.number for order in rest], list(range(55, 60)))
        found = Order.by_state.query("open", Order.total.between(50, 60), scan_index_forward=False)
        self.assertEqual([order.total for order in found], [59, 57, 55, 53, 51])
        self.assertEqual(Order.by_day.count("bob", Order.day == "d1"), 20)
        self.assertEqual(Order.count("bob", filter_condition=Order.total.is_in(1, 2)), 2)
        self.assertEqual(sum(1 for _ in Order.scan(Order.customer == "bob", segment=0, total_segments=1)), 60)
        with Order.batch_write() as batch:
            for number in range(60):
                batch.delete(Order("bob", number))
        self.assertEqual(Order.count("bob"), 0)

    def test_a_transaction_does_everything_or_nothing(self):
        connection = Connection(host=URL, region="us-east-1")
        Order("cy", 1, total=1).save()

        def pay(condition):
            with TransactWrite(connection=connection) as transaction:
                transaction.save(Order("cy", 2))
                transaction.update(Order.get("cy", 1), actions=[Order.state.set("paid")], condition=condition)

        with self.assertRaises(TransactWriteError) as raised:
            pay(Order.total > 100)
        self.assertEqual([reason and reason.code for reason in raised.exception.cancellation_reasons],
                         [None, "ConditionalCheckFailed"])
        self.assertEqual(Order.count("cy"), 1)
        pay(Order.total == 1)
        with TransactGet(connection=connection) as transaction:
            first, second = transaction.get(Order, "cy", 1), transaction.get(Order, "cy", 2)
        self.assertEqual((first.get().state, second.get().state), ("paid", "open"))

    def test_an_item_whose_time_is_over_leaves_the_table(self):
        # create_table has enabled the time to live.
        Order("past", 1, expires=datetime.timedelta(hours=-1)).save()
        deadline = time.monotonic() + PATIENCE_S
        while Order.count("past") > 0:
            self.assertLess(time.monotonic(), deadline, "the item is still there")
            time.sleep(0.05)


if __name__ == "__main__":
    unittest.main()
