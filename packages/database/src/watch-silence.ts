import type { Socket } from 'node:net';
import { setImmediate as read, setTimeout as pause } from 'node:timers/promises';
import { ignoreDefaults, ownTypes } from '@duework/sql';
import pg from 'pg';

/** How long a statement may go without an answer before the server is asked of it; twice as long each time it is at work. */
const SILENT_MS = 3_000;
const LONGEST_MS = 60_000;
/** How long the server may take to say what it does. */
const ASK_MS = 5_000;
/** How long an answer may be on its way from a session that is idle already: the server says so before it sends it. */
const ON_ITS_WAY_MS = 500;

/**
 * Ends a connection that has gone silent while a statement is on its way: its host hangs or is gone, a pooler hangs, a
 * router in between has forgotten it. TCP does not tell of that for many minutes, or never. A statement may also just
 * take long, so a second connection asks whether the session is at work; where a pooler hides it, the connection is
 * ended after a minute of silence. With an error that the connection's user gets, it is then destroyed, and its pool
 * makes another one.
 */
export function watchSilence(client: pg.Client & Session): void {
  const { connection } = client;
  const stream = connection.stream as Socket;
  const begunMs = performance.now();
  let answeredBytes = stream.bytesWritten;
  // before pg's own listener, in which the pool may send the next statement
  connection.prependListener('readyForQuery', () => (answeredBytes = stream.bytesWritten));
  let seenBytes = -1;
  let silentMs = 0;
  let waitMs = SILENT_MS;
  let timer: NodeJS.Timeout;
  const isWaiting = (): boolean => stream.bytesWritten > answeredBytes;
  const isStillSilent = async (): Promise<boolean> => {
    await pause(ON_ITS_WAY_MS);
    await read();
    return isWaiting() && stream.bytesRead === seenBytes;
  };
  const look = async (): Promise<void> => {
    // where this process was busy, timers come before an answer that has long been there
    await read();
    const isSilent = isWaiting() && stream.bytesRead === seenBytes;
    seenBytes = isWaiting() ? stream.bytesRead : -1;
    silentMs = isSilent ? silentMs + waitMs : 0;
    const state = isSilent ? await askOf(client, performance.now() - begunMs, isStillSilent) : 'at work';
    await read();
    if (
      isWaiting() &&
      stream.bytesRead === seenBytes &&
      (state === 'gone' || (state === 'hidden' && silentMs >= LONGEST_MS))
    )
      return void stream.destroy(
        Object.assign(new Error('The server does not answer any more.'), { code: 'ETIMEDOUT' }),
      );
    waitMs = isSilent && state === 'at work' ? Math.min(2 * waitMs, LONGEST_MS) : SILENT_MS;
    lookLater();
  };
  const lookLater = (): void => {
    if (!stream.destroyed) timer = setTimeout(() => void look(), waitMs).unref();
  };
  lookLater();
  connection.once('end', () => clearTimeout(timer));
}

/**
 * What the session of a client does that is `ageMs` old; `gone`: nothing, or it waits for a client that has sent all that it had
 * to, or nobody answers; `hidden`: a pooler does not say which it is. One that is gone is ended.
 */
async function askOf(
  { processID, host, port, user, password, database, ssl }: Session,
  ageMs: number,
  isStillSilent: () => Promise<boolean>,
): Promise<'at work' | 'gone' | 'hidden'> {
  const target = { host, port, user, password: password ?? undefined, database, ssl: ssl ?? false };
  const config = { ...target, connectionTimeoutMillis: ASK_MS, query_timeout: ASK_MS, types: ownTypes };
  const second = new pg.Client(config) as pg.Client & Session;
  ignoreDefaults(second, config);
  second.on('error', () => {});
  try {
    await second.connect();
    const { rows } = await second.query<{ mine: number; is_at_work: boolean | null }>(
      `SELECT pg_backend_pid() AS mine, (
        SELECT state IN ('active', 'fastpath function call') AND wait_event_type IS DISTINCT FROM 'Client'
        FROM pg_stat_activity WHERE pid = $1
      ) AS is_at_work`,
      [processID],
    );
    if (rows[0]!.mine !== second.processID) return 'hidden';
    if (rows[0]!.is_at_work === true || !(await isStillSilent())) return 'at work';
    // the number of a session may be another's by now
    await second.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1
        AND backend_start - clock_timestamp() + $2 * interval '1 millisecond' BETWEEN interval '-10 s' AND interval '1 s'`,
      [processID, ageMs],
    );
    return 'gone';
  } catch (error) {
    // it lets nobody in at the moment, and answers
    return /^(53|57P03|28|3D)/.test(String((error as { code?: unknown }).code)) ? 'hidden' : 'gone';
  } finally {
    (second.connection.stream as Socket).destroy();
  }
}

/** What pg's own types do not know of a client. */
interface Session {
  readonly processID: number | null;
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly password?: string | null | undefined;
  readonly database?: string | undefined;
  readonly ssl: pg.ClientConfig['ssl'];
}
