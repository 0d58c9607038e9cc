/** The first message of a connection has no type, only a length of 4 bytes. */
const UNTYPED_BYTES = 4;
const TYPED_BYTES = 5;
const [SIMPLE_QUERY, SYNC] = [0x51, 0x53];

/**
 * Counts what a client of PostgreSQL sends on one connection, from its first byte on. A round trip is a message after
 * which the client waits for `ReadyForQuery`: a Sync, which ends Parse, Bind and Execute, or a simple Query.
 */
export class FrontendMessages {
  roundTrips = 0;
  bytes = 0;
  #isStarted = false;
  #rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const headBytes = this.#isStarted ? TYPED_BYTES : UNTYPED_BYTES;
      if (this.#rest.length < headBytes) return;
      // the length counts itself, and not the type
      const length = this.#rest.readInt32BE(headBytes - UNTYPED_BYTES) + headBytes - UNTYPED_BYTES;
      if (this.#rest.length < length) return;
      const type = this.#isStarted ? this.#rest[0] : undefined;
      if (type === SIMPLE_QUERY || type === SYNC) this.roundTrips += 1;
      this.#isStarted = true;
      this.#rest = this.#rest.subarray(length);
    }
  }
}
