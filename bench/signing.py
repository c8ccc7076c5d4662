"""The headers of a request that is signed as by an SDK."""

import datetime
import hashlib
import hmac

REGION = "us-east-1"
HOST = "localhost"
SIGNED = ["content-type", "host", "x-amz-date", "x-amz-target"]


def signed_headers(target, payload, key):
    """They are valid for five minutes. `key` has an id and a secret."""
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    headers = {"content-type": "application/x-amz-json-1.0", "host": HOST, "x-amz-date": date, "x-amz-target": target}
    scope = f"{date[:8]}/{REGION}/dynamodb/aws4_request"
    canonical = "\n".join(["POST", "/", "", *(f"{name}:{headers[name]}" for name in SIGNED), "", ";".join(SIGNED),
                           hashlib.sha256(payload).hexdigest()])
    to_sign = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    secret = ("AWS4" + key["secret"]).encode()
    for part in scope.split("/"):
        secret = hmac.digest(secret, part.encode(), "sha256")
    headers["authorization"] = (f"AWS4-HMAC-SHA256 Credential={key['id']}/{scope}, SignedHeaders={';'.join(SIGNED)}, "
                                f"Signature={hmac.digest(secret, to_sign.encode(), 'sha256').hex()}")
    return headers
