import { CANCEL_CHANNEL } from '../sql/wake/channels.js';
import { KeptConnection, type KeptConnectionOptions, type KeptDatabase } from '../wake/kept-connection.js';

/** Where leases are kept; what `parseDatabaseUrl` returns has this shape. */
export interface LeaseDatabase extends KeptDatabase {
  /** Through a pooler in transaction mode: the connection does not listen, and sets nothing on its session. */
  readonly isPooled?: boolean;
}

/** The statements that a lease connection sends, made by the functions of the same names. */
export interface LeaseTexts {
  readonly extend: string;
  readonly register: string;
  readonly unregister: string;
  readonly forget: string;
}

export interface LeaseConnectionOptions extends Omit<KeptConnectionOptions, 'config' | 'greet' | 'database'> {
  readonly database: LeaseDatabase;
  /** Its session shows that this worker lives. */
  readonly worker: string;
  readonly texts: LeaseTexts;
}

/**
 * The one connection on which a worker extends its leases and receives cancellations; its session shows others that the
 * worker lives. A pooler shares its sessions, so through one it receives no cancellations, and its session shows
 * nothing.
 */
export function openLeaseConnection({ database, worker, texts, ...options }: LeaseConnectionOptions): KeptConnection {
  return new KeptConnection({
    ...options,
    database,
    config: toClientConfig(database, options.answerLimitMs),
    greet: async (ask, client) => {
      if (database.isPooled === true) return ask(texts.unregister, [worker]);
      await ask(texts.register, [worker, client.processID]);
      return ask(`LISTEN ${CANCEL_CHANNEL}`);
    },
  });
}

function toClientConfig(
  { options = '', isPooled = false }: LeaseDatabase,
  answerLimitMs: number,
): KeptConnectionOptions['config'] {
  // the heartbeat's statement has one good plan, and one over its limit should end; a pooler refuses all settings
  const settings = isPooled
    ? ''
    : `-c TimeZone=UTC -c lock_timeout=0 -c idle_session_timeout=0 -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off -c statement_timeout=${Math.ceil(answerLimitMs)}`;
  return {
    options: `${options} ${settings}`.trim(),
    application_name: 'duework leases',
  };
}
