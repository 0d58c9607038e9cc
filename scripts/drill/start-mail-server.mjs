import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';

const { SMTPServer } = createRequire(join(root, 'apps/mailbox/package.json'))('smtp-server');

/**
 * A real SMTP server that is also the witness: it counts what it took by Message-ID, and refuses each of the given
 * recipients once, with a reply that says "later". A mail takes it `mailMs`, as it does anywhere.
 */
export async function startMailServer({ refusedOnce, mailMs }) {
  const accepted = new Map();
  const stillRefused = new Set(refusedOnce);
  const refusedAtMs = new Map();
  const waitsMs = [];
  const traps = { greeting: { isReached: true }, reply: { isReached: true } };
  const sockets = new Set();

  /** Whether this conversation ends here: nobody will ever answer it. */
  const isTrapped = (stage) => {
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
      if (refusedAtMs.has(address)) waitsMs.push(performance.now() - refusedAtMs.get(address));
      refusedAtMs.delete(address);
      answer();
    },
    onData(stream, _session, answer) {
      let content = '';
      stream.setEncoding('latin1').on('data', (chunk) => (content += chunk));
      // a worker that is killed leaves it in the middle of a sentence
      stream.on('error', () => {});
      stream.on('end', () => {
        const messageId = /^message-id:\s*(<[^>]+>)/im.exec(content)?.[1] ?? 'none';
        accepted.set(messageId, (accepted.get(messageId) ?? 0) + 1);
        if (!isTrapped('reply')) setTimeout(() => answer(), mailMs);
      });
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket) => sockets.add(socket));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}`,
    accepted,
    acceptedCount: () => [...accepted.values()].reduce((sum, count) => sum + count, 0),
    refusals: () => refusedOnce.length - stillRefused.size,
    /** How long each recipient that was refused waited for the next try. */
    waitsMs,
    /** The next conversation that gets to this stage (`greeting`, `reply`) hangs there; `isReached` says that one does. */
    trap: (stage) => (traps[stage] = { isReached: false }),
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
