"""A stand-in for AWS KMS: checks signatures by botocore's own signing, and really wraps data keys, bound to their key and to the
encryption context. Nothing but a request with the same key and context opens them again."""

import base64
import http.server
import json
import os
import threading

import boto3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

REGION = "eu-west-1"
KEY = f"arn:aws:kms:{REGION}:111122223333:key/users"
OTHER_KEY = f"arn:aws:kms:{REGION}:111122223333:key/orders"
CREDENTIALS = ("local", "local")


class KmsError(Exception):
    def __init__(self, name, message="", status=400):
        super().__init__(message)
        self.name, self.message, self.status = name, message, status


class KmsServer:
    """`contexts` are the encryption contexts of all requests, `operations` their names; `fail_next` are errors for the next ones."""

    def __init__(self, *keys):
        self.masters = {key: AESGCM(os.urandom(32)) for key in keys or (KEY, OTHER_KEY)}
        self.disabled = set()
        self.operations, self.contexts, self.fail_next = [], [], []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    status, answer = 200, outer.answer(self.headers, body)
                except KmsError as error:
                    status, answer = error.status, {"__type": error.name, "message": error.message}
                text = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.1")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def client(self):
        """boto3's own client of this server."""
        return boto3.client("kms", endpoint_url=self.url, region_name=REGION, aws_access_key_id=CREDENTIALS[0],
                            aws_secret_access_key=CREDENTIALS[1])

    def answer(self, headers, body):
        operation = headers["X-Amz-Target"].removeprefix("TrentService.")
        self.operations.append(operation)
        if self.fail_next:
            raise self.fail_next.pop(0)
        self.check_signature(headers, body)
        request = json.loads(body)
        context = request.get("EncryptionContext", {})
        self.contexts.append(context)
        key = request["KeyId"]
        if key not in self.masters:
            raise KmsError("NotFoundException", f"Key '{key}' does not exist")
        if key in self.disabled:
            raise KmsError("DisabledException", f"{key} is disabled.")
        bound = json.dumps([key, context], sort_keys=True).encode()
        if operation == "GenerateDataKey":
            if request["KeySpec"] != "AES_256":
                raise KmsError("ValidationException", "KeySpec")
            plain, nonce = os.urandom(32), os.urandom(12)
            blob = nonce + self.masters[key].encrypt(nonce, plain, bound)
            return {"KeyId": key, "Plaintext": encoded(plain), "CiphertextBlob": encoded(blob)}
        if operation != "Decrypt":
            raise KmsError("UnknownOperationException")
        blob = base64.b64decode(request["CiphertextBlob"])
        try:
            plain = self.masters[key].decrypt(blob[:12], blob[12:], bound)
        except (InvalidTag, ValueError) as error:
            raise KmsError("InvalidCiphertextException") from error
        return {"KeyId": key, "Plaintext": encoded(plain), "EncryptionAlgorithm": "SYMMETRIC_DEFAULT"}

    def check_signature(self, headers, body):
        """By botocore, from the headers that the request says to have signed."""
        given = headers.get("Authorization", "")
        names = given.partition("SignedHeaders=")[2].partition(",")[0].split(";")
        if not {"host", "x-amz-date", "x-amz-target", "content-type"} <= set(names):
            raise KmsError("IncompleteSignatureException", f"signed are only {names}")
        request = AWSRequest(method="POST", url=self.url + "/", data=body, headers={name: headers[name] for name in names})
        request.context["timestamp"] = headers["X-Amz-Date"]
        signer = SigV4Auth(Credentials(*CREDENTIALS), "kms", REGION)
        signature = signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
        if not given.endswith(f"Signature={signature}"):
            raise KmsError("InvalidSignatureException", "the signature does not match")


def encoded(data):
    return base64.b64encode(data).decode()
