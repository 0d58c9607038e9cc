import type { BlockList } from 'node:net';
import type { Catalog, EventContract, SignalContract } from '@duework/contracts';
import {
  DEFAULT_PAYLOAD_LIMIT_BYTES,
  DueworkError,
  openQueue,
  type JobQueue,
  type Transactable,
} from '@duework/queue-core';
import { authorizeByKey } from './access/authorize/authorize-by-key.js';
import type { Authorize } from './access/authorize/authorize.js';
import type { Route } from './api.js';
import { checkLinks } from './console/check-links.js';
import type { ConsoleOptions } from './console/console-link.js';
import { createApp } from './create-app.js';
import { checkBasePath } from './mount/check-base-path.js';
import { withOutgoing } from './mount/with-outgoing.js';
import { createMetrics, type Metrics } from './observe/create-metrics.js';
import type { HttpLog } from './observe/http-log.js';
import { createOverQueueApp } from './over-queue/create-over-queue-app.js';
import { createShardsApp } from './shards/create-shards-app.js';
import type { ShardOf } from './shards/shards.js';
import type { SignIn } from './sign-in/sign-in.js';

/** One database. */
export interface SingleDatabase {
  /** A Prisma client, a client or pool of pg, or an adapter's result for another library. */
  readonly db: Transactable;
  /**
   * A client of a standby of that database: lists of jobs, batches, due times and the audit, counts and figures are
   * asked of it.
   */
  readonly readDb?: Transactable;
  /** Default: one on `db`. */
  readonly queue?: JobQueue;
  readonly shards?: never;
  readonly shardOf?: never;
  readonly bareIds?: never;
}

/** Several databases, each of which has whole jobs. Their ids begin with the name of their shard: `b.2078000000000070`. */
export interface SeveralDatabases {
  /** Each by its name: small letters, digits and "_", a letter first, at most 16. */
  readonly shards: Readonly<Record<string, Transactable>>;
  /** Names the shard of a job or a signal by its payload; undefined: it may be any. */
  readonly shardOf?: ShardOf;
  /** The shard whose ids were given out before there were shards, and are without a name. Default: there are none. */
  readonly bareIds?: string;
  readonly db?: never;
  readonly readDb?: never;
  readonly queue?: never;
}

/**
 * A queue in no database: `openBullmqQueue`, or `createMemoryQueue`. Missing features answer `not_supported`, with a
 * reason.
 */
export interface QueueAlone {
  readonly queue: JobQueue;
  /** Required: API keys are in a database. */
  readonly authorize: Authorize;
  readonly db?: never;
  readonly readDb?: never;
  readonly shards?: never;
  readonly shardOf?: never;
  readonly bareIds?: never;
}

/** Options of a handler over one database, over several, or over a queue in none. */
export type QueueHandlerOptions = CommonHandlerOptions & (SingleDatabase | SeveralDatabases | QueueAlone);

export interface CommonHandlerOptions {
  readonly catalog: Catalog;
  /** The signals that may be sent over HTTP; default: none. */
  readonly signals?: readonly SignalContract[];
  /** The events that may be published over HTTP, beside those to which a type of the catalog subscribes; default: none. */
  readonly events?: readonly EventContract[];
  /** The path below which it is mounted, such as `/api/queue`; default: the root. */
  readonly basePath?: string;
  /**
   * Identifies the caller. Default: only callers with an API key of the database, or of any of them (`authorizeByKey`).
   */
  readonly authorize?: Authorize;
  /** How people sign in to the console (`signInByOidc`). Default: with an API key alone. */
  readonly signIn?: SignIn;
  /** A logger of pino's shape; default: none. */
  readonly log?: HttpLog;
  /** Names the database in the log; its password is never shown. */
  readonly databaseUrl?: string;
  /** `required`: the doctor finds a database whose commits wait for no standby. Default: it does not mind. */
  readonly replicated?: 'required';
  /** Default: 65,536. */
  readonly payloadLimitBytes?: number;
  /** Requests of one principal to this process; default: 60,000. */
  readonly requestsPerMinute?: number;
  /** After so many requests with wrong credentials an address gets 429; default: 60. */
  readonly failuresPerMinute?: number;
  /** Bytes of all bodies in hand; one principal may have a quarter. Default: 64 MiB. */
  readonly maxBodyBytes?: number;
  /** Streams, and requests that wait for a job, at once; one principal may have a quarter. Default: 2,000. */
  readonly maxStreams?: number;
  /** The proxies whose `X-Forwarded-For` is believed; default: none. */
  readonly proxies?: BlockList;
  /** It is called over TLS only, and tells browsers (HSTS); default: false. */
  readonly isBehindTls?: boolean;
  /** The console's own links, to logs and traces. */
  readonly console?: ConsoleOptions;
  /** Once it returns true, `/readyz` answers 503 and connections are closed after their answer. */
  readonly isStopping?: () => boolean;
}

/** What a program of this repository adds: its types are those of the libraries behind the handler. */
export interface OwnParts {
  /** Default: metrics of its own. Both are shown at `/metrics`. */
  readonly metrics?: Metrics;
  /** Routes beside those of the queue. */
  readonly routes?: readonly Route[];
}

/** Answers a Fetch request. `env`: additional facts of a server; Node's has the other end of the connection. */
export type QueueHandler = (request: Request, env?: unknown) => Promise<Response>;

const SILENT: HttpLog = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * The queue over HTTP, below any path of any framework that takes a Fetch handler; `toNodeListener` makes one for those
 * that do not. It answers every address below its path, and is closed: without `authorize` it takes API keys alone.
 * Throws where `basePath` is none, and `invalid_option` for a link of the console that is none, where not exactly one of
 * `db`, `shards` and a `queue` alone is given, or no `authorize` with a queue alone.
 */
export function createQueueHandler(options: QueueHandlerOptions, own: OwnParts = {}): QueueHandler {
  const { db, readDb, queue, shards, shardOf, bareIds, basePath = '', console: shown = {}, ...given } = options;
  const common = {
    log: SILENT,
    metrics: own.metrics ?? createMetrics(),
    databaseUrl: undefined,
    payloadLimitBytes: DEFAULT_PAYLOAD_LIMIT_BYTES,
    requestsPerMinute: 60_000,
    failuresPerMinute: 60,
    isStopping: () => false,
    ...given,
    basePath: checkBasePath(basePath),
    consoleLinks: checkLinks(shown.links ?? []),
  };
  checkBehind(options);
  const app =
    shards !== undefined
      ? createShardsApp({ shards, shardOf, bareIds }, common, own.routes)
      : db === undefined
        ? createOverQueueApp(queue!, common, own.routes)
        : createApp(
            {
              authorize: authorizeByKey(db),
              ...common,
              db,
              queue: queue ?? openQueue(db),
              ...(readDb === undefined ? {} : { readDb }),
            },
            own.routes,
          );
  return async (request, env) => app.fetch(request, withOutgoing(request, env));
}

/** Throws `invalid_option` unless exactly one thing is given that jobs are in. */
function checkBehind({ db, shards, queue }: QueueHandlerOptions): void {
  const isOne =
    shards === undefined ? db !== undefined || queue !== undefined : db === undefined && queue === undefined;
  if (!isOne)
    throw new DueworkError('invalid_option', {
      option: 'shards',
      expected: 'given instead of db, or db alone, or a queue that is in no database',
      value: shards === undefined ? 'neither' : 'both',
    });
}
