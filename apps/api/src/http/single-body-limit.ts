/** Room for everything beside the payload, and for a payload that is written with spaces and escapes. */
const ENVELOPE_BYTES = 16 * 1024;

/** The largest body of a request that carries one payload, in bytes. */
export function singleBodyLimit({ payloadLimitBytes }: { readonly payloadLimitBytes: number }): number {
  return payloadLimitBytes + ENVELOPE_BYTES;
}
