import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onEnd } from '../../kit/clean-up.js';

/** Nothing else has such a start. */
const PROTOCOL = 196_608;

/** A proxy as that of RDS: it takes no options at the start of a session, and passes on everything else. */
export async function startStrictProxy(url: string): Promise<{ readonly url: string; stop(): void }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.once('data', (first) => {
      const isRefused = first.readInt32BE(4) === PROTOCOL && first.includes('\0options\0');
      if (isRefused) return client.end(refusal());
      upstream.write(first);
      client.pipe(upstream).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) });
  const stop = onEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { url: through.toString(), stop };
}

function refusal(): Buffer {
  const why = "Feature not supported: RDS Proxy currently doesn't support command-line options.";
  const body = Buffer.from(`${['SFATAL', 'VFATAL', 'C0A000', `M${why}`, ''].join('\0')}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
