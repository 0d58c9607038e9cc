/**
 * A key of a request that may be sent again. `crypto.randomUUID` is missing where the console is served without TLS.
 */
export const makeKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
