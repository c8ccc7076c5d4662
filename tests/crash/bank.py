"""Transfers between accounts, each with an entry in a ledger: no money is made or lost, and no reader sees a half."""

from actor import Actor, whole_scan
from items import CANCELED, check_table
from stores import expect

BANK, LEDGER = "bank", "ledger"
ACCOUNTS, BEGIN = 8, 1000
TOTAL = ACCOUNTS * BEGIN


def account(number):
    return {"pk": {"S": f"account-{number}"}}


def make_tables(client):
    for table in (BANK, LEDGER):
        client.must("CreateTable", {
            "TableName": table, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
    for number in range(ACCOUNTS):
        client.must("PutItem", {"TableName": BANK, "Item": account(number) | {"balance": {"N": str(BEGIN)}}})


class Teller(Actor):
    """Moves money in transactions over two tables. Several tellers use the same accounts."""

    def __init__(self, name):
        super().__init__(name)
        self._count = 0
        self.done, self.uncertain, self.refused = set(), set(), set()

    def step(self, client):
        if self.random.random() < 0.3:
            self._audit(client)
        else:
            self._transfer(client)

    def _audit(self, client):
        """Reads all accounts at one moment."""
        answer = self.ask(client, "TransactGetItems", {
            "TransactItems": [{"Get": {"TableName": BANK, "Key": account(number)}} for number in range(ACCOUNTS)]}, (CANCELED,))
        if answer != CANCELED:
            check_sum([one["Item"] for one in answer["Responses"]], "a reader saw half of a transfer")

    def _transfer(self, client):
        self._count += 1
        entry = f"{self.name}-{self._count}"
        giver, taker = self.random.sample(range(ACCOUNTS), 2)
        amount = {":x": {"N": str(self.random.randrange(1, 400))}}
        actions = [
            {"Update": {"TableName": BANK, "Key": account(giver), "UpdateExpression": "SET balance = balance - :x",
                        "ConditionExpression": "balance >= :x", "ExpressionAttributeValues": amount}},
            {"Update": {"TableName": BANK, "Key": account(taker), "UpdateExpression": "SET balance = balance + :x",
                        "ExpressionAttributeValues": amount}},
            {"Put": {"TableName": LEDGER, "ConditionExpression": "attribute_not_exists(pk)", "Item": {
                "pk": {"S": entry}, "giver": {"S": f"account-{giver}"}, "taker": {"S": f"account-{taker}"}, "amount": amount[":x"]}}}]
        self.random.shuffle(actions)
        self.uncertain.add(entry)
        answer = self.ask(client, "TransactWriteItems", {"TransactItems": actions}, (CANCELED,))
        self.uncertain.discard(entry)
        (self.refused if answer == CANCELED else self.done).add(entry)


def check_sum(items, complaint):
    total = sum(int(item["balance"]["N"]) for item in items)
    expect(total == TOTAL, f"{complaint}: {total} in all accounts, not {TOTAL}")


class Bank:
    def __init__(self, tellers):
        self._tellers = tellers

    def check(self, client):
        accounts, ledger = whole_scan(client, BANK), whole_scan(client, LEDGER)
        balances = {f"account-{number}": BEGIN for number in range(ACCOUNTS)}
        for entry in ledger:
            amount = int(entry["amount"]["N"])
            balances[entry["giver"]["S"]] -= amount
            balances[entry["taker"]["S"]] += amount
        found = {item["pk"]["S"]: int(item["balance"]["N"]) for item in accounts}
        expect(found == balances, f"the accounts are {found}, by the ledger {balances}")
        check_sum(accounts, "money was made or lost")
        entries = {entry["pk"]["S"] for entry in ledger}
        for teller in self._tellers:
            there = {entry for entry in entries if entry.startswith(teller.name + "-")}
            expect(teller.done <= there, f"acknowledged transfers are missing: {teller.done - there}")
            expect(there <= teller.done | teller.uncertain, f"refused transfers are there: {there - teller.done - teller.uncertain}")
            teller.done, teller.uncertain = there, set()
        check_table(client, BANK, accounts)
        check_table(client, LEDGER, ledger)
