import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** The stages at which a conversation can be made to hang. */
export type TrapStage = 'greeting' | 'reply';

export interface Trap {
  /** Whether a conversation hangs there. */
  isReached: boolean;
}

export interface DrillMailServer {
  readonly url: string;
  /** How often the server took each mail, by Message-ID. */
  readonly accepted: ReadonlyMap<string, number>;
  acceptedCount(): number;
  /** How many recipients it has refused. */
  refusals(): number;
  /** How long each refused recipient waited for the next try. */
  readonly waitsMs: readonly number[];
  /** Makes the next conversation hang at this stage. */
  trap(stage: TrapStage): Readonly<Trap>;
  stop(): Promise<void>;
}

export interface StartMailServerOptions {
  /** The recipients to refuse once. */
  readonly refusedOnce: readonly string[];
  readonly mailMs: number;
}

/**
 * A real SMTP server that is also the witness: it counts accepted mails by Message-ID, and refuses each of the given
 * recipients once, with a temporary error. A mail takes it `mailMs`, as a real server needs time, too.
 */
export async function startMailServer({ refusedOnce, mailMs }: StartMailServerOptions): Promise<DrillMailServer> {
  const accepted = new Map<string, number>();
  const stillRefused = new Set(refusedOnce);
  const refusedAtMs = new Map<string, number>();
  const waitsMs: number[] = [];
  const traps: Record<TrapStage, Trap> = { greeting: { isReached: true }, reply: { isReached: true } };
  const sockets = new Set<Socket>();

  /** Whether this conversation hangs here and is never answered. */
  const isTrapped = (stage: TrapStage): boolean => {
    if (traps[stage].isReached) return false;
    traps[stage].isReached = true;
    return true;
  };

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, answer) => void (isTrapped('greeting') || answer()),
    onRcptTo({ address }, _session, answer) {
      if (stillRefused.delete(address)) {
        refusedAtMs.set(address, performance.now());
        return answer(Object.assign(new Error('Try again later'), { responseCode: 451 }));
      }
      const refusedMs = refusedAtMs.get(address);
      if (refusedMs !== undefined) waitsMs.push(performance.now() - refusedMs);
      refusedAtMs.delete(address);
      answer();
    },
    onData(stream, _session, answer) {
      let content = '';
      stream.setEncoding('latin1').on('data', (chunk) => (content += String(chunk)));
      // a killed worker breaks its connection in the middle of a command
      stream.on('error', () => {});
      stream.on('end', () => {
        const messageId = /^message-id:\s*(<[^>]+>)/im.exec(content)?.[1] ?? 'none';
        accepted.set(messageId, (accepted.get(messageId) ?? 0) + 1);
        if (!isTrapped('reply')) setTimeout(() => answer(), mailMs);
      });
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    accepted,
    acceptedCount: () => [...accepted.values()].reduce((sum, count) => sum + count, 0),
    refusals: () => refusedOnce.length - stillRefused.size,
    waitsMs,
    trap: (stage) => (traps[stage] = { isReached: false }),
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
