/** Room for everything beside the payload, and for spaces and escapes in the payload. */
const ENVELOPE_BYTES = 16 * 1024;

/** The largest body of a request that carries one payload, in bytes. */
export function singleBodyLimit({ payloadLimitBytes }: { readonly payloadLimitBytes: number }): number {
  return payloadLimitBytes + ENVELOPE_BYTES;
}
