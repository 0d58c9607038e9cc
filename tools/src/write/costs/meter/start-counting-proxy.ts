import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

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

interface Sent {
  readonly roundTrips: number;
  readonly bytes: number;
}

export interface CountingProxy {
  /** The URL of the same database through the proxy. */
  through(url: string): string;
  /** What clients have sent since the proxy was started. */
  read(): Sent;
  stop(): void;
}

/** A proxy on loopback that counts what clients send to PostgreSQL. */
export async function startCountingProxy(serverUrl: string): Promise<CountingProxy> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const connections: FrontendMessages[] = [];
  const server = createServer((client) => {
    const messages = new FrontendMessages();
    connections.push(messages);
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk) => {
      messages.take(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => client.write(chunk));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sum = (count: (messages: FrontendMessages) => number): number =>
    connections.reduce((total, messages) => total + count(messages), 0);
  return {
    through(url) {
      const through = new URL(url);
      through.hostname = '127.0.0.1';
      through.port = String((server.address() as AddressInfo).port);
      return through.toString();
    },
    read: () => ({ roundTrips: sum(({ roundTrips }) => roundTrips), bytes: sum(({ bytes }) => bytes) }),
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
