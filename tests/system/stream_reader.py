"""Reads a stream as a consumer does: finds its shards and follows each from its oldest record."""


class StreamReader:
    def __init__(self, connection, arn, page_max=1000):
        self._connection = connection
        self._arn = arn
        self._page_max = page_max
        self._iterators = {}  # by shard: where to read on; None at the end of a closed shard
        self.shards = {}      # by shard: its records so far

    def read_on(self):
        """Reads all shards until none has anything more. Returns how many records were new."""
        self._find_shards()
        return sum(self._read_shard(shard) for shard in list(self._iterators))

    def _find_shards(self):
        request = {"StreamArn": self._arn}
        while True:
            described = self._connection.must("DescribeStream", request)["StreamDescription"]
            for shard in (one["ShardId"] for one in described["Shards"]):
                if shard not in self.shards:
                    self.shards[shard] = []
                    self._iterators[shard] = self._connection.must("GetShardIterator", {
                        "StreamArn": self._arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"})["ShardIterator"]
            if "LastEvaluatedShardId" not in described:
                return
            request = request | {"ExclusiveStartShardId": described["LastEvaluatedShardId"]}

    def _read_shard(self, shard):
        read = 0
        while self._iterators[shard] is not None:
            page = self._connection.must("GetRecords", {"ShardIterator": self._iterators[shard], "Limit": self._page_max})
            self._iterators[shard] = page.get("NextShardIterator")
            self.shards[shard] += page["Records"]
            read += len(page["Records"])
            if not page["Records"]:
                break
        return read
