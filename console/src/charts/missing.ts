import { ApiError } from "../api/errors";

/** True for an operation that this server does not have, or does not offer as it was started. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.type === "UnknownOperationException" || /^this (server|store) (makes|has|does|counts|offers) no/.test(error.message));
}
