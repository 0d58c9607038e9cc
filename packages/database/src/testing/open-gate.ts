import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Gate {
  /** The URL of the same database through the gate, at which nobody listens until it is opened. */
  readonly url: string;
  /** Lets in whoever comes; `refuse` may do something else with a connection, and then returns true. */
  open(refuse?: (client: Socket) => boolean): Promise<void>;
  close(): void;
}

/** A way to a server that is not there yet. */
export async function openGate(url: string): Promise<Gate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const listen = (port: number, refuse: (client: Socket) => boolean): Promise<Server> =>
    new Promise((resolve) => {
      const listening: Server = createServer((client) => {
        client.on('error', () => {});
        if (refuse(client)) return;
        const upstream = connect(Number(target.port), target.hostname);
        upstream.on('error', () => client.destroy());
        for (const socket of [client, upstream]) sockets.add(socket);
        client.on('close', () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      }).listen(port, '127.0.0.1', () => resolve(listening));
    });
  const first = await listen(0, () => true);
  const { port } = first.address() as AddressInfo;
  await new Promise((resolve) => first.close(resolve));
  const through = new URL(url);
  [through.hostname, through.port] = ['127.0.0.1', String(port)];
  return {
    url: through.toString(),
    async open(refuse = () => false) {
      server = await listen(port, refuse);
    },
    close() {
      server?.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** What a server says that lets nobody in: `57P03`, `the database system is starting up`. */
export function refuseWith(client: Socket, code: string, message: string): void {
  const body = Buffer.from(`${['SFATAL', 'VFATAL', `C${code}`, `M${message}`, ''].join('\0')}\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  client.once('data', () => client.end(Buffer.concat([head, body])));
}
