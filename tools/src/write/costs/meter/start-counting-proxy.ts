import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { FrontendMessages } from './frontend-messages.js';

export interface Sent {
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
