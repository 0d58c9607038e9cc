import type { Socket } from 'node:net';
import type pg from 'pg';

/** How long a statement may go without an answer before the host is looked at. */
const SILENT_MS = 3_000;

/**
 * Ends a connection whose host is gone while a statement is on its way. TCP does not tell of a cable that is cut, or of a
 * machine that hangs, for many minutes. A statement may also just take long, so a second connection is asked: `isThere`
 * says whether the host still answers, as it should. With an error that the connection's user gets, it is then destroyed.
 */
export function watchSilence(client: pg.Client, isThere: () => Promise<boolean>): void {
  const { connection } = client;
  const stream = connection.stream as Socket;
  let answeredBytes = stream.bytesWritten;
  connection.on('readyForQuery', () => (answeredBytes = stream.bytesWritten));
  let seenBytes = -1;
  const timer = setInterval(() => void look(), SILENT_MS).unref();
  const look = async (): Promise<void> => {
    const isWaiting = stream.bytesWritten > answeredBytes;
    const isSilent = isWaiting && stream.bytesRead === seenBytes;
    seenBytes = isWaiting ? stream.bytesRead : -1;
    if (!isSilent || (await isThere()) || stream.bytesWritten === answeredBytes) return;
    stream.destroy(Object.assign(new Error('The host does not answer any more.'), { code: 'ETIMEDOUT' }));
  };
  connection.once('end', () => clearInterval(timer));
}
