import { connect, createServer } from 'node:net';

/**
 * Stands between one process and its database, to be the cable that somebody pulls. Both ends are on loopback.
 *
 * @param {{ host: string, port: number }} target
 */
export async function startProxy(target) {
  /** Pairs of sockets; `up` goes to the database. */
  const links = new Set();
  /** What becomes of new connections: 'pass', 'refuse' (closed at once) or 'hang' (taken, and never answered). */
  let door = 'pass';

  const server = createServer((client) => {
    client.on('error', () => {});
    if (door === 'refuse') return client.destroy();
    if (door === 'hang') return void links.add({ down: client, up: null, isDeaf: true });
    const up = connect(target.port, target.host);
    up.on('error', () => {});
    const link = { down: client, up, isDeaf: false };
    links.add(link);
    const pass = (from, to) => {
      from.on('data', (chunk) => link.isDeaf || to.write(chunk));
      // a half-open connection: the other side is not told
      from.on('close', () => {
        if (link.isDeaf) return;
        to.destroy();
        links.delete(link);
      });
    };
    pass(client, up);
    pass(up, client);
    return undefined;
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

  const each = (act) => {
    for (const link of links) act(link);
  };
  const destroy = (link) => {
    link.down.destroy();
    link.up?.destroy();
    links.delete(link);
  };
  return {
    port: server.address().port,
    /** Every connection breaks, on both sides; with `isClosed`, no new one can be made until `mend`. */
    cut({ isClosed }) {
      if (isClosed) door = 'refuse';
      each(destroy);
    },
    /** From now on nothing gets through and nobody is told; new connections hang. What was deaf breaks at `mend`. */
    deafen() {
      door = 'hang';
      each((link) => (link.isDeaf = true));
    },
    /** Holds back what goes in one direction, `'up'` to the database or `'down'` from it; `mend` lets all of it through, late. */
    stall(direction) {
      each(({ down, up }) => (direction === 'up' ? down : up)?.pause());
    },
    mend() {
      door = 'pass';
      each((link) => {
        if (link.isDeaf) return destroy(link);
        link.down.resume();
        link.up.resume();
        return undefined;
      });
    },
    stop() {
      server.close();
      each(destroy);
    },
  };
}
