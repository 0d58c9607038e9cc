import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface PickyMailServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** What it does with a recipient, by the domain of the address. */
const REFUSALS: Readonly<Record<string, readonly [code: number, text: string]>> = {
  'gone.example': [550, 'No such mailbox here'],
  'full.example': [452, 'Mailbox is full, try again later'],
  'grey.example': [451, 'Greylisted, try again in five minutes'],
};

/** A real SMTP server that refuses some domains and takes a moment for each mail, so that there is something to look at. */
export async function startPickyMailServer(): Promise<PickyMailServer> {
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, answer) {
      const [code, text] = REFUSALS[address.split('@')[1] ?? ''] ?? [];
      if (code === undefined) return answer();
      answer(Object.assign(new Error(text), { responseCode: code }));
    },
    onData(stream, session, answer) {
      const isSlow = session.envelope.rcptTo.some(({ address }) => address.endsWith('@slow.example'));
      stream.on('error', () => {});
      stream.on('end', () => setTimeout(() => answer(), isSlow ? 25_000 : 80)).resume();
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
