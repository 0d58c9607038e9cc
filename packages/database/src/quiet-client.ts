import { ignoreDefaults, isOwnType, ownTypes } from '@duework/sql';
import pg from 'pg';
import { failUnreplicated } from './hosts/fail-unreplicated.js';
import { watchSilence } from './watch-silence.js';

type Release = (error?: Error | boolean) => void;

/** The server is a standby, stops, or starts: what is sent on this connection next would fail, too. */
const USELESS = new Set(['25006', '57P01', '57P02', '57P03']);

/**
 * A connection whose end is never an uncaught 'error'. The pool listens while a connection is idle, and Prisma's
 * adapter once it has it for a transaction; between the two nobody does, and a server that ends the session just then,
 * in the packet that accepts the client, would end the process. The user of the connection gets an error at the next
 * statement.
 *
 * A connection that goes silent while a statement is on its way is ended.
 *
 * A connection on which the server has said that it takes no writes, or is leaving, is not used again: the pool that gets it
 * back closes it. A commit whose wait for a standby was cut short is an error.
 *
 * What the program has set on `pg.types` and `pg.defaults` for its own clients changes nothing here.
 *
 * Its session is in UTC. That is asked for by name and not in `options`, which poolers and proxies refuse.
 *
 * For the `Client` of a pool, or of what `PrismaPg` is given. `onLost` gets the errors for which nobody else listens.
 */
export function quietClient(
  onLost: (error: Error) => void = () => {},
): new (config?: string | pg.ClientConfig) => pg.Client {
  return class QuietClient extends pg.Client {
    #release: Release = () => {};
    #uselessFor: Error | undefined;

    constructor(config?: string | pg.ClientConfig) {
      const given = typeof config === 'string' ? { connectionString: config } : config;
      super({ types: plainTypes, ...given });
      ignoreDefaults(this, given);
      // any other listener reports the error itself
      this.on('error', (error) => this.listenerCount('error') === 1 && onLost(error));
      this.on('connect', () => {
        watchSilence(this as unknown as Parameters<typeof watchSilence>[0]);
        this.connection.on('errorMessage', (error: Error & { readonly code?: string }) => {
          if (USELESS.has(error.code ?? '')) this.#uselessFor = error;
        });
      });
      failUnreplicated(this);
    }

    /** What pg sends when it connects. */
    getStartupConf(): object {
      const ofClient = pg.Client.prototype as unknown as { getStartupConf(this: pg.Client): object };
      return { ...ofClient.getStartupConf.call(this), TimeZone: 'UTC' };
    }

    /** A statement may bring parsers of its own, as those of Prisma do; for the rest it would ask the program's. */
    override query(...given: unknown[]): never {
      const [statement, ...more] = given as [{ readonly types?: pg.CustomTypesConfig }];
      const sent = statement.types === undefined ? statement : { ...statement, types: withoutTheirs(statement.types) };
      return (super.query as (...given: unknown[]) => never).call(this, sent, ...more);
    }

    /** A pool gives it to the client anew for each user. */
    get release(): Release {
      return this.#release;
    }

    set release(release: Release) {
      this.#release = (error) => release(error ?? this.#uselessFor);
    }
  };
}

type Oid = Parameters<typeof pg.types.getTypeParser>[0];

type Read = (text: string) => unknown;

/** `pg` has it, and its types say another thing. It is asked for late, because a command may be there before `pg` is. */
type ArrayParser = { create(text: string, read: Read): { parse(): unknown[] } };
const arrayOf =
  (read: Read): Read =>
  (text) =>
    (pg.types.arrayParser as unknown as ArrayParser).create(text, read).parse();

/** As `pg` reads these values until a program changes that: an int8 is a text, and arrays may have several dimensions. */
const PLAIN: { readonly [oid: number]: Read } = {
  20: String,
  1007: arrayOf(Number),
  1009: arrayOf(String),
  1016: arrayOf(String),
};

/** Types that our statements have are read so; any other one is the program's affair. */
const plainTypes = {
  getTypeParser(oid: Oid, format?: 'text'): unknown {
    if (!isOwnType(oid)) return pg.types.getTypeParser(oid, format);
    return PLAIN[oid] ?? ownTypes.getTypeParser(oid);
  },
} as pg.CustomTypesConfig;

/** The same parsers without those that the program has set. */
function withoutTheirs(types: pg.CustomTypesConfig): pg.CustomTypesConfig {
  const getTypeParser = (oid: Oid, format?: 'text'): unknown => {
    const read: unknown = types.getTypeParser(oid, format);
    if (read !== pg.types.getTypeParser(oid, format)) return read;
    return plainTypes.getTypeParser(oid, format);
  };
  return { getTypeParser: getTypeParser as pg.CustomTypesConfig['getTypeParser'] };
}
