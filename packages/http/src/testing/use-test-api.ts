import { afterAll, beforeAll } from '@jest/globals';
import { catalog } from '@duework/shop';
import { connectPrisma, type PrismaClient } from '@duework/database';
import { connectPatiently, type TestDatabase } from '@duework/database/testing';
import { createShopDatabase } from '@duework/shop/testing';
import { DEFAULT_PAYLOAD_LIMIT_BYTES, openQueue } from '@duework/queue-core';
import { pino } from 'pino';
import type { ApiParts, Route } from '../api.js';
import { authorizeLocal } from '../access/authorize/authorize-local.js';
import { createApp } from '../create-app.js';
import { createServer } from '../http/server/create-server.js';
import { listenOn } from '../http/server/listen-on.js';
import { stopServer } from '../http/server/stop-server.js';
import { createMetrics } from '../observe/create-metrics.js';
import { waitUntil } from './wait-until.js';

/** A test asserts the shape of what it reads, so a type would repeat it. */
export type AnyJson = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; reading it fails the test when the body is not JSON. */
  readonly body: AnyJson;
}

export interface TestApi {
  readonly url: string;
  readonly db: PrismaClient;
  readonly databaseUrl: string;
  /** The lines it has logged so far, parsed. */
  readonly logged: readonly Record<string, unknown>[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends JSON; a string is sent as it is. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Waits until no bulk action runs behind an answer: a TRUNCATE beside one can deadlock. */
  bulkActionsEnded(): Promise<void>;
}

type TestParts = ApiParts & { readonly db: PrismaClient };

/**
 * An API on a real socket and a database of its own, for one test file. `change` replaces parts of it; `own` adds routes.
 */
export function useTestApi(
  change: (parts: TestParts) => Partial<TestParts> = () => ({}),
  own: (parts: TestParts) => readonly Route[] = () => [],
): TestApi {
  let database: TestDatabase;
  let parts: TestParts;
  let url = '';
  const logged: Record<string, unknown>[] = [];
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    database = await createShopDatabase();
    const db = connectPatiently({ url: database.url, poolSize: 5 });
    const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    const noWait = connectPrisma({ url: database.url, role: 'engine', poolSize: 1 });
    const made: TestParts = {
      db,
      queue: openQueue(db, { noWait }),
      databaseUrl: database.url,
      catalog,
      log,
      metrics: createMetrics(),
      payloadLimitBytes: DEFAULT_PAYLOAD_LIMIT_BYTES,
      authorize: authorizeLocal(),
      requestsPerMinute: 100_000,
      failuresPerMinute: 100_000,
      isStopping: () => false,
    };
    const changed = change(made);
    parts = { ...made, ...(changed.db === undefined ? {} : { queue: openQueue(changed.db) }), ...changed };
    const server = createServer(createApp(parts, own(parts)));
    url = `http://127.0.0.1:${await listenOn(server, '127.0.0.1', 0)}`;
    stops.push(
      () => stopServer(server, 1_000),
      () => db.$disconnect(),
      () => noWait.$disconnect(),
      () => parts.db.$disconnect(),
      () => database.drop(),
    );
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  return {
    get url() {
      return url;
    },
    get db() {
      return parts.db;
    },
    get databaseUrl() {
      return database.url;
    },
    logged,
    get: (path, headers = {}) => ask(url + path, { headers }),
    post: (path, body, headers = { 'Content-Type': 'application/json' }) =>
      ask(url + path, {
        method: 'POST',
        headers,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    bulkActionsEnded: () =>
      waitUntil(
        'no bulk action runs',
        async () => (await parts.db.bulkAction.count({ where: { status: 'running' } })) === 0,
      ),
  };
}

/** One request over the socket. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body() {
      return JSON.parse(text);
    },
  };
}
