import pg from 'pg';
import { pause, type Clock } from '../../clock.js';
import { LISTEN } from '../../sql/listen.js';

/** Where leases are kept; what `parseDatabaseUrl` returns has this shape. */
export interface LeaseDatabase {
  readonly url: string;
  /** The `options` of the session, beside those that leases need. */
  readonly options?: string;
  /** Through a pooler in transaction mode: nothing is listened to, and the session keeps its settings. */
  readonly isPooled?: boolean;
}

/** The statements that a lease connection sends, made by the functions of the same names. */
export interface LeaseTexts {
  readonly extend: string;
  readonly register: string;
  readonly unregister: string;
  readonly forget: string;
}

export interface LeaseConnectionOptions {
  readonly database: LeaseDatabase;
  /** Its session shows that this worker lives. */
  readonly worker: string;
  readonly texts: LeaseTexts;
  /** A statement that takes longer means that the connection is cut, and a new one is made. */
  readonly answerLimitMs: number;
  readonly clock: Clock;
  /** Connected, for the first time or again; a notification may have been missed. */
  readonly onOpen: () => void;
  /** Lost, or not to be had; it is tried again. */
  readonly onLost: (error: unknown) => void;
  readonly onNotification: (channel: string, payload: string) => void;
}

const MIN_CONNECT_MS = 2_000;
const FIRST_RETRY_MS = 50;
/** Half as much again at the most: far less than the grace in which a worker that lost its session is not taken for dead. */
const MAX_RETRY_MS = 600;

/**
 * The one connection on which leases are kept and notifications heard, and by which others tell that the worker lives. TCP alone does not tell that a connection is cut: a
 * half-open one looks idle for hours and is deaf. So a statement without an answer ends it, and whatever ends it, a new one
 * is made, after a pause that grows and is never the same for two workers.
 */
export class LeaseConnection {
  #open: Opened | null = null;
  #lastError: unknown = new Error('The connection for leases is not open yet.');

  constructor(private readonly options: LeaseConnectionOptions) {}

  /** Rejects at once while there is no connection, when it is lost, and after the limit at the latest. */
  query(text: string, values: unknown[]): Promise<unknown[]> {
    return this.#open === null ? Promise.reject(this.#lastError as Error) : this.#ask(this.#open, text, values);
  }

  /** Takes the worker off the register, because it leaves; never rejects, for without that it is found missing later. */
  async signOff(): Promise<void> {
    const { worker, texts, database } = this.options;
    if (database.isPooled !== true) await this.query(texts.forget, [[worker]]).catch(() => {});
  }

  /** Stays connected until `signal` aborts. */
  async keepOpen(signal: AbortSignal): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      this.#lastError = await this.#openOne(signal, () => (retryMs = FIRST_RETRY_MS));
      if (signal.aborted) return;
      this.options.onLost(this.#lastError);
      await pause(this.options.clock, retryMs * (0.5 + Math.random()), signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }

  /** One connection, from its beginning to its end; resolves with what ended it. */
  async #openOne(signal: AbortSignal, onOpen: () => void): Promise<unknown> {
    const client = new pg.Client(toClientConfig(this.options));
    let end: Opened['end'] = () => {};
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    client.on('error', end);
    client.on('end', () => end(new Error('Connection terminated unexpectedly')));
    client.on('notification', ({ channel, payload = '' }) => this.options.onNotification(channel, payload));
    signal.addEventListener('abort', end);
    try {
      await orThrow(client.connect(), ended);
      await orThrow(this.#signOn({ client, end }), ended);
      this.#open = { client, end };
      onOpen();
      this.options.onOpen();
      return await ended;
    } catch (error) {
      return error;
    } finally {
      this.#open = null;
      signal.removeEventListener('abort', end);
      // a goodbye where it costs no waiting
      client.end().catch(() => {});
      if (!signal.aborted) client.connection.stream.destroy();
    }
  }

  /** Through a pooler a session is nobody's: nothing is heard on it, and nothing can be told by it. */
  async #signOn(opened: Opened): Promise<void> {
    const { worker, texts, database } = this.options;
    if (database.isPooled === true) {
      await this.#ask(opened, texts.unregister, [worker]);
    } else {
      await this.#ask(opened, texts.register, [worker, opened.client.processID]);
      await this.#ask(opened, LISTEN, []);
    }
  }

  #ask({ client, end }: Opened, text: string, values: unknown[]): Promise<unknown[]> {
    const { clock, answerLimitMs } = this.options;
    return new Promise((resolve, reject) => {
      const stopTimer = clock.after(answerLimitMs, () => {
        const error = silence(answerLimitMs);
        end(error);
        reject(error);
      });
      void client.query(text, values).then(({ rows }) => resolve(rows), reject).finally(stopTimer);
    });
  }
}

interface Opened {
  readonly client: pg.Client & { readonly processID?: number | null };
  /** Ends it; the reason is told. */
  readonly end: (reason: unknown) => void;
}

/** The promise, or `ended` thrown when that comes first. */
function orThrow<T>(promise: Promise<T>, ended: Promise<unknown>): Promise<T> {
  return Promise.race([promise, ended.then((error) => Promise.reject(error as Error))]);
}

function silence(ms: number): Error {
  return Object.assign(new Error(`PostgreSQL has not answered within ${Math.round(ms)} ms.`), { code: 'ETIMEDOUT' });
}

function toClientConfig({ database: { url, options = '', isPooled = false }, answerLimitMs }: LeaseConnectionOptions): pg.ClientConfig {
  // the one statement has one good plan, and what nobody waits for any more need not run on; a pooler refuses such settings
  const settings = isPooled ? '' : `-c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c statement_timeout=${Math.ceil(answerLimitMs)}`;
  return {
    connectionString: url,
    options: `${options} -c TimeZone=UTC ${settings}`.trim(),
    application_name: 'duework leases',
    keepAlive: true,
    connectionTimeoutMillis: Math.max(answerLimitMs, MIN_CONNECT_MS),
  };
}
