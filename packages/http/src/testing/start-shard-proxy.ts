import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy before a database that can take it away. */
export interface ShardProxy {
  readonly url: string;
  /** It hangs or refuses. */
  readonly isAway: boolean;
  /** Nothing passes any more, and nobody is told: the database hangs. */
  hang(): void;
  /** Connections end, and new ones are refused. */
  refuse(): void;
  /** It answers again; what hung goes on. */
  restore(): Promise<void>;
  stop(): void;
}

export async function startShardProxy(url: string): Promise<ShardProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let isHanging = false;

  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (isHanging) waiting.push(() => to.write(chunk));
      else to.write(chunk);
    });
    from.on('close', () => to.destroy());
    from.on('error', () => {});
    sockets.add(from);
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    pass(client, upstream);
    pass(upstream, client);
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const destroy = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };

  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    url: through.toString(),
    get isAway() {
      return isHanging || !server.listening;
    },
    hang: () => void (isHanging = true),
    refuse() {
      server.close();
      destroy();
    },
    async restore() {
      isHanging = false;
      for (const go of waiting.splice(0)) go();
      if (!server.listening) await listen(port);
    },
    stop() {
      server.close();
      destroy();
    },
  };
}
