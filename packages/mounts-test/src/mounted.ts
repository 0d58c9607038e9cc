import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

/** A server of another framework, below whose path `/admin/queue` the queue answers, with a route of its own beside it. */
export interface Mounted {
  readonly url: string;
  close(): Promise<void>;
}

/** The address at which a server listens, once it does. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends a server, and the connections that clients keep. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
