/** What a server, or the way to it, answered instead of a result. */
export class ApiError extends Error {
  constructor(
    /** Such as "ConditionalCheckFailedException"; "Unreachable" when nothing answered. */
    readonly type: string,
    message: string,
    readonly status: number,
    readonly operation: string,
    /** The whole body, for members such as Item and CancellationReasons. */
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "ApiError";
  }

  get isUnreachable(): boolean {
    return this.type === "Unreachable";
  }

  /** Signing in, or with another key, may help. */
  get isAboutAccess(): boolean {
    return accessErrors.has(this.type);
  }
}

const accessErrors = new Set([
  "MissingAuthenticationTokenException", "MissingAuthenticationToken", "UnrecognizedClientException",
  "InvalidSignatureException", "IncompleteSignatureException", "ExpiredTokenException",
]);

/** A sentence for people, whatever was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && !error.isUnreachable && error.type !== "") return `${error.message} (${error.type})`;
  return error instanceof Error ? error.message : String(error);
}
