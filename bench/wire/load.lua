-- The load of one round, for wrk: sends the requests of a file in turn and prints what came of it as one line of JSON.
-- Usage: wrk -s load.lua URL -- TARGET FILE. A line of FILE is a date, an authorization and a body, with tabs between them.

local requests, count, sent = {}, 0, 0

function init(args)
  for line in io.lines(args[2]) do
    local date, authorization, body = line:match("^([^\t]*)\t([^\t]*)\t(.*)$")
    count = count + 1
    -- The same headers as those of an SDK.
    requests[count] = wrk.format("POST", "/", {
      ["Host"] = "localhost",
      ["Content-Type"] = "application/x-amz-json-1.0",
      ["X-Amz-Target"] = args[1],
      ["X-Amz-Date"] = date,
      ["Authorization"] = authorization,
      ["User-Agent"] = "wrk",
      ["Accept-Encoding"] = "identity",
    }, body)
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
