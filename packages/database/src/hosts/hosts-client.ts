import type pg from 'pg';
import type { DatabaseAddress } from '../parse-database-url.js';
import { HostOrder } from './host-order.js';
import { isSameEverywhere, joinFailures, readOnlyError } from './hosts-error.js';
import { watchSession } from './watch-session.js';

export type Hosts = Pick<DatabaseAddress, 'url' | 'others' | 'isWritten'>;
export type ClientClass = new (config?: string | pg.ClientConfig) => pg.Client;

/** What an event emitter keeps of itself: it belongs to whoever listens, and not to a host. */
const LISTENERS = new Set(['_events', '_eventsCount', '_maxListeners', 'domain']);

/**
 * A client that connects to the first of several hosts that answers, and takes writes where that is asked for. Each host has
 * its share of the time limit, so that one that does not answer does not use it up. The host that worked last is tried first
 * by every client of the class, which is for one pool.
 *
 * pg's client connects once, to one host. For the next host it takes over the state of a new client that has not connected
 * yet; its listeners stay.
 */
export function hostsClient({ url, others, isWritten }: Hosts, Client: ClientClass): ClientClass {
  const urls = [url, ...others];
  const order = new HostOrder(urls.length);
  return class HostsClient extends Client {
    readonly #configOf: (host: number) => pg.ClientConfig;

    constructor(config?: string | pg.ClientConfig) {
      const given = typeof config === 'object' ? config : {};
      const limitMs = Math.ceil((given.connectionTimeoutMillis ?? 0) / urls.length);
      const configOf = (host: number): pg.ClientConfig => ({
        ...given,
        connectionString: urls[host]!,
        connectionTimeoutMillis: limitMs,
      });
      super(configOf(0));
      this.#configOf = configOf;
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(callback?: (error: never, client: never) => void): Promise<pg.Client> | void {
      const connected = this.#connectToOne();
      if (callback === undefined) return connected;
      const answer = callback as (error: unknown, client?: pg.Client) => void;
      void connected.then(
        (client) => answer(null, client),
        (error: unknown) => answer(error),
      );
    }

    async #connectToOne(): Promise<pg.Client> {
      const failures: Error[] = [];
      for (const host of order.list()) {
        this.#becomeClientOf(host);
        try {
          await this.#connectTo(host);
          return this;
        } catch (error) {
          failures.push(error as Error);
          if (isSameEverywhere(error as Error)) break;
        }
      }
      throw joinFailures(failures);
    }

    async #connectTo(host: number): Promise<void> {
      const takesWrites = watchSession(this);
      await super.connect();
      if (isWritten && !(await takesWrites())) throw readOnlyError();
      order.worked(host);
    }

    #becomeClientOf(host: number): void {
      this.connection.removeAllListeners();
      this.connection.on('error', () => {});
      this.connection.stream.destroy();
      const fresh = new Client(this.#configOf(host));
      const state = Object.entries(fresh).filter(([name]) => !LISTENERS.has(name));
      Object.assign(this, Object.fromEntries(state));
    }
  };
}
