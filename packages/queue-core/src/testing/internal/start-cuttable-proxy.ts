import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttableProxy {
  /** The same database, through the proxy. */
  readonly url: string;
  /** From now on nothing gets through, in either direction, and nobody is told: every connection stays open. */
  cut(): void;
  /** New connections work again; those that were cut stay not listening. */
  mend(): void;
  stop(): void;
}

/** Stands between a client and PostgreSQL, to be the cable that somebody pulls. */
export async function startCuttableProxy(url: string): Promise<CuttableProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const cutSockets = new Set<Socket>();
  let isCut = false;

  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('error', () => {});
    from.on('data', (chunk) => cutSockets.has(from) || to.write(chunk));
    from.on('close', () => {
      sockets.delete(from);
      if (!cutSockets.has(from)) to.destroy();
    });
    if (isCut) cutSockets.add(from);
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.toString(),
    cut() {
      isCut = true;
      for (const socket of sockets) cutSockets.add(socket);
    },
    mend: () => void (isCut = false),
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
