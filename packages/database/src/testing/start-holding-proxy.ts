import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface HoldingProxy {
  /** The URL of the same database through the proxy. */
  readonly url: string;
  /** Holds back the server's packets, from the next one that has `text` in it. */
  holdFrom(text: string): void;
  /** Resolves when a packet with `text` in it is held back. */
  heard(text: string): Promise<void>;
  /** Passes on everything that was held back, in one packet, and holds back nothing any more. */
  letGo(): void;
  stop(): void;
}

/** A proxy before PostgreSQL that makes several messages of the server arrive at once. */
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
    // the server's last message may still be held back
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
