-- The load of one round, for wrk: sends the bodies of a file in turn and prints what came of it as one line of JSON.
-- Usage: wrk -s load.lua URL -- OPERATION FILE, where FILE has one body a line.

local requests, count, sent = {}, 0, 0

function init(args)
  -- The same headers as those of an SDK. The signature is none, and nobody here checks it.
  local headers = {
    ["Content-Type"] = "application/x-amz-json-1.0",
    ["X-Amz-Target"] = "DynamoDB_20120810." .. args[1],
    ["X-Amz-Date"] = "20260101T000000Z",
    ["Authorization"] = "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
      .. "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" .. string.rep("0", 64),
    ["User-Agent"] = "wrk",
    ["Accept-Encoding"] = "identity",
  }
  for body in io.lines(args[2]) do
    count = count + 1
    requests[count] = wrk.format("POST", "/", headers, body)
  end
end

function request()
  sent = sent % count + 1
  return requests[sent]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests": %d, "duration_us": %d, "p50_us": %d, "p99_us": %d, "refused": %d, "broken": %d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
