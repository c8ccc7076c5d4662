import { useState } from "preact/hooks";
import { ApiError } from "./api/errors";
import { dynamo, returns } from "./api/client";
import { credentials, needsSignIn } from "./state/session";
import { Button, TextField } from "./ui/controls";
import { Dialog } from "./ui/dialog";
import { ErrorNotice } from "./ui/notice";

/** Asks for the key that requests are signed with, and tries it. */
export function SignIn() {
  const known = credentials.value;
  const [keyId, setKeyId] = useState(known?.keyId ?? "");
  const [secret, setSecret] = useState("");
  const [sessionToken, setToken] = useState("");
  const [region, setRegion] = useState(known?.region ?? "us-east-1");
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const close = () => (needsSignIn.value = false);
  const signIn = async () => {
    setBusy(true);
    setError(null);
    credentials.value = { keyId: keyId.trim(), secret: secret.trim(), region: region.trim(), ...(sessionToken.trim() ? { sessionToken: sessionToken.trim() } : {}) };
    try {
      await dynamo("ListTables", { Limit: 1 });
      signedIn();
    } catch (failure) {
      // A key that may not list tables is a key all the same.
      if (failure instanceof ApiError && failure.type === "AccessDeniedException") return signedIn();
      credentials.value = known;
      setError(failure);
      setBusy(false);
    }
  };
  const signedIn = () => {
    close();
    returns.value++;
  };
  const forget = () => {
    credentials.value = null;
    close();
    returns.value++;
  };
  return (
    <Dialog title="Sign in" onClose={close} onSubmit={signIn}
      footer={<>{known && <Button kind="danger" onClick={forget}>Forget the key</Button>}<Button onClick={close}>Cancel</Button>
        <Button kind="primary" submit disabled={busy || keyId.trim() === "" || secret.trim() === ""}>Sign in</Button></>}>
      <p class="muted">This server wants requests that are signed with an access key. Its secret stays in this tab, is never sent, and is gone when you close the tab.</p>
      <TextField label="Access key id" value={keyId} onChange={setKeyId} code autofocus autocomplete="username" />
      <TextField label="Secret access key" value={secret} onChange={setSecret} type="password" code autocomplete="current-password" />
      <TextField label="Session token" help="Only for temporary keys" value={sessionToken} onChange={setToken} type="password" code />
      <TextField label="Region" value={region} onChange={setRegion} code help="The one that the server was started with" />
      {error !== null && <ErrorNotice error={error} />}
    </Dialog>
  );
}
