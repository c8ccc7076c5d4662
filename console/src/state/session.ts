// The key that requests are signed with. It is kept by this tab alone, and gone when the tab closes.

import { effect, signal } from "@preact/signals";
import type { Credentials } from "../api/sigv4";

const place = "dolmen.credentials";

function read(): Credentials | null {
  try {
    const text = sessionStorage.getItem(place);
    return text === null ? null : (JSON.parse(text) as Credentials);
  } catch {
    return null; // Storage is closed to this page, or holds what nobody can read: the person signs in again.
  }
}

export const credentials = signal<Credentials | null>(read());
/** The server has refused a request for want of a key. */
export const needsSignIn = signal(false);

effect(() => {
  const known = credentials.value;
  try {
    if (known === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify(known));
  } catch {
    // Kept in memory then.
  }
});
