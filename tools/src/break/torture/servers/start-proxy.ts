import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Two sockets; `up` goes to the database. */
interface Link {
  readonly down: Socket;
  readonly up: Socket | null;
  isSilent: boolean;
}

/** New connections are closed at once (`refuse`), or accepted and never answered (`hang`). */
type Admission = 'pass' | 'refuse' | 'hang';

export interface Proxy {
  readonly port: number;
  /** Breaks every connection, on both sides; with `isClosed`, no new one can be made until `mend`. */
  cut(options: { readonly isClosed: boolean }): void;
  /**
   * From now on no packet gets through and neither side is told; new connections hang. Hanging ones break at `mend`.
   */
  pull(): void;
  /** Holds back the packets of one direction, `'up'` to the database or `'down'` from it; `mend` sends them, late. */
  stall(direction: 'up' | 'down'): void;
  mend(): void;
  stop(): void;
}

/**
 * A proxy between one process and its database that stands for a cable which can be pulled. Both ends are on loopback. The
 * other end of a new connection is where `target` says at that moment.
 */
export async function startProxy(target: number | (() => number)): Promise<Proxy> {
  const links = new Set<Link>();
  let admission: Admission = 'pass';

  const destroy = (link: Link): void => {
    link.down.destroy();
    link.up?.destroy();
    links.delete(link);
  };
  const server = createServer((down) => {
    down.on('error', () => {});
    if (admission === 'refuse') return void down.destroy();
    if (admission === 'hang') return void links.add({ down, up: null, isSilent: true });
    const up = connect(typeof target === 'number' ? target : target(), '127.0.0.1');
    up.on('error', () => {});
    const link: Link = { down, up, isSilent: false };
    links.add(link);
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (chunk) => link.isSilent || to.write(chunk));
      // a half-open connection: the other side is not told
      from.on('close', () => {
        if (link.isSilent) return;
        to.destroy();
        links.delete(link);
      });
    };
    pass(down, up);
    pass(up, down);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    cut({ isClosed }) {
      if (isClosed) admission = 'refuse';
      for (const link of links) destroy(link);
    },
    pull() {
      admission = 'hang';
      for (const link of links) link.isSilent = true;
    },
    stall(direction) {
      for (const { down, up } of links) (direction === 'up' ? down : up)?.pause();
    },
    mend() {
      admission = 'pass';
      for (const link of links) {
        if (link.isSilent) destroy(link);
        link.down.resume();
        link.up?.resume();
      }
    },
    stop() {
      server.close();
      for (const link of links) destroy(link);
    },
  };
}
