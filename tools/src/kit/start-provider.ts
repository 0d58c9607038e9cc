import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Provider {
  readonly url: string;
  /** While it is true, it refuses every conversation with 421, as a provider does that is down. */
  isDown: boolean;
  /** While it is true, it takes every mail and never answers. */
  isHanging: boolean;
  /** How long it takes for a mail. */
  mailMs: number;
  /** How many conversations it has refused. */
  readonly refused: number;
  /** How often it took each mail, by its recipient. */
  readonly accepted: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** A real SMTP server that can be down, knows nobody at nowhere.invalid, and is the witness of what arrived. */
export async function startProvider(): Promise<Provider> {
  const accepted = new Map<string, number>();
  const sockets = new Set<Socket>();
  const state = { isDown: true, isHanging: false, mailMs: 0, refused: 0 };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect(_session, answer) {
      if (!state.isDown) return answer();
      state.refused++;
      answer(Object.assign(new Error('Service not available, try again later'), { responseCode: 421 }));
    },
    onRcptTo({ address }, _session, answer) {
      if (!address.endsWith('@nowhere.invalid')) return answer();
      answer(Object.assign(new Error('No such mailbox here'), { responseCode: 550 }));
    },
    onData(stream, { envelope }, answer) {
      // a killed worker breaks its connection in the middle of a command
      stream.on('error', () => {});
      stream.on('end', () => {
        for (const { address } of envelope.rcptTo) accepted.set(address, (accepted.get(address) ?? 0) + 1);
        if (!state.isHanging) setTimeout(() => answer(), state.mailMs);
      });
      stream.resume();
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    accepted,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
