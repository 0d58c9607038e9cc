import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface HoldingProxy {
  /** The same database, through the proxy. */
  readonly url: string;
  /** What the server says is kept, from the next packet that has `text` in it. */
  holdFrom(text: string): void;
  /** Resolves when something with `text` in it is kept. */
  heard(text: string): Promise<void>;
  /** Hands over all that was kept, in one packet, and holds nothing any more. */
  letGo(): void;
  stop(): void;
}

/** Stands between a client and PostgreSQL, to have several of its messages arrive at once. */
export async function startHoldingProxy(url: string): Promise<HoldingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const kept: Buffer[] = [];
  let held: Socket | null = null;
  let from: string | null = null;
  let changed = (): void => {};

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.on('data', (chunk) => upstream.write(chunk));
    client.on('close', () => upstream.destroy());
    upstream.on('data', (chunk) => {
      if (from === null || (kept.length === 0 && !chunk.includes(from))) return void client.write(chunk);
      held = client;
      kept.push(chunk);
      changed();
    });
    // its goodbye may still be kept
    upstream.on('close', () => kept.length > 0 || client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.toString(),
    holdFrom: (text) => void (from = text),
    async heard(text) {
      while (!Buffer.concat(kept).includes(text)) await new Promise<void>((resolve) => (changed = resolve));
    },
    letGo() {
      from = null;
      held?.end(Buffer.concat(kept.splice(0)));
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
