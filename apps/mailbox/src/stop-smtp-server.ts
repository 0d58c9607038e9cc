import { setTimeout as delay } from 'node:timers/promises';
import type { SMTPServer } from 'smtp-server';

const CHECK_EVERY_MS = 20;

/**
 * Stops the SMTP server: takes no new connection and no new mail, lets the mails that are being sent finish for up to
 * `graceMs`, and closes idle connections at once (a client that keeps a pool would otherwise hold the process).
 * Returns how many connections had to be cut. The server's own `close` answers 421 to the next command even in the
 * middle of a mail, which is why it is not used here.
 */
export async function stopSmtpServer(server: SMTPServer, graceMs: number): Promise<number> {
  server.server.close();
  for (let waitedMs = 0; waitedMs < graceMs; waitedMs += CHECK_EVERY_MS) {
    for (const connection of server.connections) {
      // Before its greeting a connection has no envelope yet, whatever the types say.
      const isSending = Boolean(connection.session.envelope?.mailFrom);
      if (!isSending) connection.send(421, 'The mailbox is stopping');
    }
    if (server.connections.size === 0) return 0;
    await delay(CHECK_EVERY_MS);
  }
  const left = [...server.connections];
  for (const connection of left) connection.send(421, 'The mailbox is stopping');
  return left.length;
}
