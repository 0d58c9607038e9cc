import pg from 'pg';
import { ignoreDefaults, ownTypes } from '@duework/sql';
import { pause, type Clock } from '../clock.js';

/** Where it is to; what `parseDatabaseUrl` returns has this shape. */
export interface KeptDatabase {
  /** Of the first host. */
  readonly url: string;
  /** Of those that are tried after it, in this order. */
  readonly others?: readonly string[];
  /** A server that takes no writes will not do. */
  readonly isWritten?: boolean;
  /** The `options` of the session. */
  readonly options?: string;
}

export interface KeptConnectionOptions {
  readonly database: KeptDatabase;
  readonly config: Omit<pg.ClientConfig, 'connectionString'>;
  /** Sends the first statements on every new connection, which counts as open when they have been answered. */
  readonly greet: (ask: Ask, client: pg.Client & { readonly processID?: number | null }) => Promise<unknown>;
  /** The last statement, which a stopping worker sends. */
  readonly farewell?: string;
  /** When a statement takes longer from its turn on, the connection counts as cut, and a new one is made. */
  readonly answerLimitMs: number;
  readonly clock: Clock;
  /** Called when connected, for the first time or again; notifications may have been missed. */
  readonly onOpen: () => void;
  /** Called when the connection is lost or cannot be made; it is tried again. */
  readonly onLost: (error: unknown) => void;
  readonly onNotification: (channel: string, payload: string) => void;
}

/** Sends a statement, and resolves with its rows. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<unknown[]>;

const MIN_CONNECT_MS = 2_000;
/** PostgreSQL's code for a write that a standby gets. */
const READ_ONLY = '25006';
const FIRST_RETRY_MS = 50;
/**
 * Up to half as long again with jitter: far less than the grace before a worker without a session counts as vanished.
 */
const MAX_RETRY_MS = 600;

/**
 * A connection that stays open, to receive notifications and to show that its worker lives. TCP alone does not show
 * that a connection is cut: a half-open one looks idle for hours and receives nothing. So a statement without an answer
 * ends it, and whenever it ends a new one is made, after a pause that grows and has jitter. Of several hosts the one that
 * worked last is tried first, and the pause comes when all of them have failed. A server that takes no writes any more is
 * left, too.
 */
export class KeptConnection {
  #open: Opened | null = null;
  #firstHost = 0;
  #lastError: unknown = new Error('The connection is not open yet.');

  constructor(private readonly options: KeptConnectionOptions) {}

  /** Rejects at once while there is no connection, when it is lost, and after the limit at the latest. */
  query(text: string, values: readonly unknown[] = []): Promise<unknown[]> {
    return this.#open === null ? Promise.reject(this.#lastError as Error) : this.#ask(this.#open, text, values);
  }

  /** Stays connected until `signal` aborts. */
  async keepOpen(signal: AbortSignal): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      this.#lastError = await this.#openOnce(signal, () => (retryMs = FIRST_RETRY_MS));
      if (signal.aborted) return;
      this.options.onLost(this.#lastError);
      await pause(this.options.clock, retryMs * (0.5 + Math.random()), signal);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }
  }

  /** Opens one connection, to the first host that lets it, and resolves with what ended it. */
  async #openOnce(signal: AbortSignal, onOpen: () => void): Promise<unknown> {
    const { url, others = [] } = this.options.database;
    const urls = [url, ...others];
    // one host that hangs does not keep the others waiting
    const limitMs = urls.length > 1 ? MIN_CONNECT_MS : Math.max(this.options.answerLimitMs, MIN_CONNECT_MS);
    const first = this.#firstHost;
    for (let tried = 1; ; tried++) {
      const host = (first + tried - 1) % urls.length;
      let openings = 0;
      const config = { connectionString: urls[host]!, connectionTimeoutMillis: limitMs };
      const error = await this.#openOne(config, signal, () => {
        openings++;
        this.#firstHost = host;
        onOpen();
      });
      if (openings > 0 || signal.aborted || tried === urls.length) return error;
    }
  }

  async #openOne(config: pg.ClientConfig, signal: AbortSignal, onOpen: () => void): Promise<unknown> {
    const { farewell, database } = this.options;
    const given = { keepAlive: true, types: ownTypes, ...config, ...this.options.config };
    const client = new pg.Client(given);
    ignoreDefaults(client, given);
    let end: Opened['end'] = () => {};
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    const lastWord = hearLastWord(client);
    client.on('error', (error) => end(lastWord() ?? error));
    client.on('end', () => end(lastWord() ?? new Error('Connection terminated unexpectedly')));
    client.on('notification', ({ channel, payload = '' }) => this.options.onNotification(channel, payload));
    signal.addEventListener('abort', end);
    try {
      await orThrow(client.connect(), ended);
      const opened: Opened = { client, end, turn: Promise.resolve() };
      if (database.isWritten === true) await orThrow(this.#checkWritten(opened), ended);
      await orThrow(
        this.options.greet((text, values = []) => this.#ask(opened, text, values), client),
        ended,
      );
      this.#open = opened;
      onOpen();
      this.options.onOpen();
      return await ended;
    } catch (error) {
      return error;
    } finally {
      signal.removeEventListener('abort', end);
      // a stopping worker says goodbye to the server; otherwise the connection is destroyed at once
      const opened = this.#open;
      this.#open = null;
      const isLeaving = signal.aborted && opened !== null && farewell !== undefined;
      const said = isLeaving ? this.#ask(opened, farewell, []).catch(() => {}) : Promise.resolve();
      void said.then(() => client.end()).catch(() => {});
      if (!signal.aborted) client.connection.stream.destroy();
    }
  }

  /** A standby, which would let it listen to nothing. */
  async #checkWritten(opened: Opened): Promise<void> {
    const [row] = (await this.#ask(opened, 'SHOW transaction_read_only', [])) as [{ transaction_read_only: string }];
    if (row.transaction_read_only === 'off') return;
    throw Object.assign(new Error('the server takes no writes'), { code: READ_ONLY });
  }

  /** Sends a statement when those before it have been answered, because a connection of pg takes one at a time. */
  #ask(opened: Opened, text: string, values: readonly unknown[]): Promise<unknown[]> {
    const answer = opened.turn.then(() => this.#send(opened, text, values));
    opened.turn = answer.catch(() => {});
    return answer;
  }

  #send({ client, end }: Opened, text: string, values: readonly unknown[]): Promise<unknown[]> {
    const { clock, answerLimitMs } = this.options;
    return new Promise((resolve, reject) => {
      const stopTimer = clock.after(answerLimitMs, () => {
        const error = silence(answerLimitMs);
        end(error);
        reject(error);
      });
      void client
        .query(text, [...values])
        .then(
          ({ rows }) => resolve(rows),
          (error: Error & { readonly code?: unknown }) => {
            if (error.code === READ_ONLY) end(error);
            reject(error);
          },
        )
        .finally(stopTimer);
    });
  }
}

interface Opened {
  readonly client: pg.Client;
  /** Ends the connection; `onLost` gets the reason. */
  readonly end: (reason: unknown) => void;
  /** Resolves when the statements that were asked for until now have been answered. */
  turn: Promise<unknown>;
}

/** Resolves as the promise does; throws what `ended` resolves with when that comes first. */
function orThrow<T>(promise: Promise<T>, ended: Promise<unknown>): Promise<T> {
  return Promise.race([promise, ended.then((error) => Promise.reject(error as Error))]);
}

/**
 * The error with which the server ends a session, undefined while it has said none. pg hands it to the statement that is
 * on its way, if any, and says of the connection only that it has ended; of any other error the server is ready again.
 */
function hearLastWord({ connection }: pg.Client): () => Error | undefined {
  let word: Error | undefined;
  connection.on('errorMessage', (error: Error) => (word = error));
  connection.on('readyForQuery', () => (word = undefined));
  return () => word;
}

function silence(ms: number): Error {
  return Object.assign(new Error(`PostgreSQL has not answered within ${Math.round(ms)} ms.`), { code: 'ETIMEDOUT' });
}
