import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';

const { SMTPServer } = createRequire(join(root, 'apps/mailbox/package.json'))('smtp-server');

/**
 * A real SMTP server that is also the witness: it counts what it accepted by Message-ID, and refuses each of the given
 * recipients once, with a reply that says "later".
 */
export async function startMailServer({ refusedOnce }) {
  const accepted = new Map();
  const stillRefused = new Set(refusedOnce);
  let refusals = 0;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, answer) {
      if (!stillRefused.delete(address)) return answer();
      refusals++;
      answer(Object.assign(new Error('Try again later'), { responseCode: 451 }));
    },
    onData(stream, _session, answer) {
      let content = '';
      stream.setEncoding('latin1').on('data', (chunk) => (content += chunk));
      stream.on('end', () => {
        const messageId = /^message-id:\s*(<[^>]+>)/im.exec(content)?.[1] ?? 'none';
        accepted.set(messageId, (accepted.get(messageId) ?? 0) + 1);
        answer();
      });
    },
  });
  // a worker that is killed leaves its connection in the middle of a sentence
  server.on('error', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}`,
    accepted,
    acceptedCount: () => [...accepted.values()].reduce((sum, count) => sum + count, 0),
    refusals: () => refusals,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
