"""A server that keeps objects as S3 does, as far as exports, imports and backups need it. Refuses what is not signed."""

import http.server
import threading
import urllib.parse
from xml.sax.saxutils import escape


class S3Server:
    """`objects` maps "bucket/key" to bytes; `buckets` are those that exist."""

    def __init__(self, *buckets):
        self.buckets = set(buckets)
        self.objects = {}
        self.put_bytes = 0
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, status, body=b"", head=False):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                if not head:
                    self.wfile.write(body)

            def error(self, status, code):
                self.answer(status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode())

            def place(self):
                """The bucket and the key; nothing when the request was refused."""
                path, _, self.query = self.path.partition("?")
                bucket, _, key = urllib.parse.unquote(path[1:]).partition("/")
                if "Signature=" not in self.headers.get("Authorization", ""):
                    self.error(403, "AccessDenied")
                    return None
                if bucket not in outer.buckets:
                    self.error(404, "NoSuchBucket")
                    return None
                return bucket, key

            def do_PUT(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if place := self.place():
                    outer.objects["/".join(place)] = body
                    outer.put_bytes += len(body)
                    self.answer(200)

            def do_DELETE(self):
                if place := self.place():
                    outer.objects.pop("/".join(place), None)
                    self.answer(204)

            def do_GET(self):
                place = self.place()
                if not place:
                    return
                if not place[1]:
                    self.list(place[0])
                    return
                body = outer.objects.get("/".join(place))
                if body is None:
                    self.error(404, "NoSuchKey")
                elif "Range" in self.headers:
                    first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
                    if first >= len(body):
                        self.error(416, "InvalidRange")
                    else:
                        self.answer(206, body[first:last + 1])
                else:
                    self.answer(200, body)

            def list(self, bucket):
                """In pages of three, so that there is more than one."""
                query = dict(urllib.parse.parse_qsl(self.query))
                begin = f"{bucket}/{query.get('prefix', '')}"
                keys = sorted(key for key in outer.objects if key.startswith(begin))
                start = int(query.get("continuation-token", "0"))
                page = keys[start:start + 3]
                more = start + 3 < len(keys)
                listed = "".join(
                    f"<Contents><Key>{escape(key.partition('/')[2])}</Key><Size>{len(outer.objects[key])}</Size>"
                    "<LastModified>2026-11-17T00:00:00.000Z</LastModified></Contents>" for key in page)
                token = f"<NextContinuationToken>{start + 3}</NextContinuationToken>" if more else ""
                self.answer(200, f"<ListBucketResult><IsTruncated>{str(more).lower()}</IsTruncated>{token}{listed}"
                                 "</ListBucketResult>".encode())

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
