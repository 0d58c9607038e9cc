import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface PickyMailServer {
  readonly url: string;
  /** Mails to held.example wait for an answer from now on. */
  hold(): void;
  /** Answers the mails that wait for it, and those to come, with a refusal. */
  refuseHeld(code: number, text: string): void;
  stop(): Promise<void>;
}

type Refusal = readonly [code: number, text: string];

/** What it does with a recipient, by the domain of the address. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'gone.example': [550, 'No such mailbox here'],
  'full.example': [452, 'Mailbox is full, try again later'],
  'grey.example': [451, 'Greylisted, try again in five minutes'],
};

/** A real SMTP server that refuses some domains and takes a moment for each mail, so that there is something to look at. */
export async function startPickyMailServer(): Promise<PickyMailServer> {
  const sockets = new Set<Socket>();
  let held = holdMails();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, answer) {
      const domain = address.split('@')[1] ?? '';
      const refuse = ([code, text]: Refusal): void => answer(Object.assign(new Error(text), { responseCode: code }));
      if (domain === 'held.example') return void held.answer.then(refuse);
      const refusal = REFUSALS[domain];
      if (refusal === undefined) answer();
      else refuse(refusal);
    },
    onData(stream, session, answer) {
      const isSlow = session.envelope.rcptTo.some(({ address }) => address.endsWith('@slow.example'));
      stream.on('error', () => {});
      // an answer that nobody waits for any more keeps no process
      stream.on('end', () => setTimeout(() => answer(), isSlow ? 25_000 : 80).unref()).resume();
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    hold() {
      held = holdMails();
    },
    refuseHeld: (code, text) => held.refuse([code, text]),
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function holdMails(): { readonly answer: Promise<Refusal>; readonly refuse: (refusal: Refusal) => void } {
  let refuse: (refusal: Refusal) => void = () => {};
  const answer = new Promise<Refusal>((resolve) => (refuse = resolve));
  return { answer, refuse: (refusal) => refuse(refusal) };
}
