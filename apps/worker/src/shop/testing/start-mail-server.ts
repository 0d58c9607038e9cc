import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { createFact, type Fact } from '@duework/worker/testing';

/** The stages at which a conversation can be held, or refused. */
export type MailStage = 'greeting' | 'recipient' | 'reply';

export interface MailServer {
  readonly url: string;
  /** Every mail whose content arrived in full, whether or not the sender received the reply. */
  readonly mails: readonly Email[];
  /** Holds the next conversation that gets to this stage. */
  hold(stage: MailStage): { reached: Promise<void>; release(): void };
  /** Answers the next conversation that gets to this stage with this code. */
  refuse(stage: MailStage, responseCode: number): void;
  /** Breaks every connection, like a server that is killed. */
  cut(): void;
  /** Ends every connection, and resolves when the other side has closed it, too. */
  hangUp(): Promise<void>;
  stop(): Promise<void>;
}

/** A real SMTP server on a free port; a test decides its timing and its answers. */
export async function startMailServer(): Promise<MailServer> {
  const mails: Email[] = [];
  const held = new Map<MailStage, { reached: Fact; released: Fact }>();
  const refused = new Map<MailStage, number>();

  async function pass(stage: MailStage, done: (error?: Error | null) => void): Promise<void> {
    const hold = held.get(stage);
    held.delete(stage);
    hold?.reached.happen();
    await hold?.released.happened;
    const responseCode = refused.get(stage);
    refused.delete(stage);
    done(responseCode === undefined ? null : Object.assign(new Error('no thanks'), { responseCode }));
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onConnect: (_session, done) => void pass('greeting', done),
    onRcptTo: (_address, _session, done) => void pass('recipient', done),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      // the connection broke in the middle of a mail
      stream.on('error', () => {});
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          if (!refused.has('reply')) mails.push(mail);
          return pass('reply', done);
        });
      });
    },
  });
  server.on('error', () => {});
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    hold(stage) {
      const hold = { reached: createFact(), released: createFact() };
      held.set(stage, hold);
      return { reached: hold.reached.happened, release: hold.released.happen };
    },
    refuse: (stage, responseCode) => void refused.set(stage, responseCode),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async hangUp() {
      const open = [...sockets].filter((socket) => !socket.destroyed);
      await Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve).end())));
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
