import { constants } from 'node:os';
import { catalog, orderPaid } from '@duework/shop';
import {
  awaitDatabase,
  checkDatabase,
  checkReplication,
  connectPrisma,
  describeDatabaseError,
  newestMigration,
} from '@duework/database';
import { ensurePartitions, openQueue, registerDefinitions, setKeyRing } from '@duework/queue-core';
import {
  authorizeAny,
  authorizeByKey,
  authorizeByOidc,
  authorizeLocal,
  createMetrics,
  createQueueHandler,
  createServer,
  listenOn,
  signInByOidc,
  stopServer,
  within,
} from '@duework/http';
import { OptionsError, watchAlerts } from '@duework/worker';
import { pino } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import { readEnv } from './env.js';
import { openShopRedis } from './shop/open-shop-redis.js';
import { openShopShards } from './shop/open-shop-shards.js';
import { OrderStream } from './shop/orders/order-stream.js';
import { placeLivingOrders } from './shop/orders/place-living-orders.js';
import { shopRoutes } from './shop/shop-routes.js';
import { askParent } from './shop/trouble/ask-parent.js';

const STOP_GRACE_MS = 10_000;
const DISCONNECT_GRACE_MS = 2_000;
const PARTITION_DAYS = 7;
/** Below which the dedicated queue has its API and its console. */
const REDIS_PATH = '/queue-redis';

const reading = readEnv();
if (!reading.ok) {
  process.stderr.write(`${reading.lines.join('\n')}\n`);
  process.exit(2);
}
const { DATABASE_URL: databaseUrl, HOST: host, ...env } = reading.env;
setKeyRing(env.DUEWORK_KEYS);
const log = pino({ level: env.LOG_LEVEL, base: { app: 'api' }, timestamp: pino.stdTimeFunctions.isoTime });
const metrics = createMetrics();
collectDefaultMetrics({ register: metrics.registry });
const connection = {
  url: databaseUrl,
  // which `duework migrate --to` looks for
  applicationName: `duework-api ${newestMigration}`,
  onConnectionLost: (error: Error) => log.warn({ reason: error.message }, 'database.connection_lost'),
};
const db = connectPrisma({ ...connection, poolSize: env.DATABASE_POOL_SIZE });
const noWait = connectPrisma({ ...connection, role: 'engine', poolSize: 1 });
const readDb =
  env.READ_DATABASE_URL === undefined
    ? undefined
    : connectPrisma({ ...connection, url: env.READ_DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE });
const shards = openShopShards(env.SHARDS, db, { ...connection, poolSize: env.DATABASE_POOL_SIZE });
const redis =
  env.DUEWORK_REDIS_URL === undefined
    ? undefined
    : await openShopRedis({
        url: env.DUEWORK_REDIS_URL,
        prefix: env.DUEWORK_REDIS_PREFIX,
        db,
        onLost: (error) => log.warn({ reason: error.message }, 'redis.connection_lost'),
      });

const stopping = new AbortController();
let stopAlerts = (): void => {};
const parts = {
  databaseUrl,
  ...(env.REPLICATED === undefined ? {} : { replicated: env.REPLICATED }),
  catalog,
  signals: [orderPaid],
  log,
  authorize: authorizeAny(
    authorizeByKey(db),
    ...(env.OIDC_ISSUER === undefined || env.OIDC_AUDIENCE === undefined
      ? []
      : [
          authorizeByOidc({
            issuer: env.OIDC_ISSUER,
            audience: env.OIDC_AUDIENCE,
            rolesClaim: env.OIDC_ROLES_CLAIM,
            roles: env.OIDC_ROLES,
            onUnavailable: (error) => log.warn({ reason: error.message }, 'issuer.unavailable'),
          }),
        ]),
    ...(env.API_KEYS === 'off' ? [authorizeLocal()] : []),
  ),
  ...(env.OIDC_ISSUER === undefined || env.OIDC_CLIENT_ID === undefined
    ? {}
    : {
        signIn: signInByOidc({
          issuer: env.OIDC_ISSUER,
          clientId: env.OIDC_CLIENT_ID,
          ...(env.OIDC_CLIENT_SECRET === undefined ? {} : { clientSecret: env.OIDC_CLIENT_SECRET }),
          scope: env.OIDC_SCOPE,
          parameters: env.OIDC_PARAMETERS,
        }),
      }),
  proxies: env.TRUSTED_PROXIES,
  requestsPerMinute: env.REQUESTS_PER_MINUTE,
  failuresPerMinute: env.FAILURES_PER_MINUTE,
  maxBodyBytes: env.MAX_BODY_BYTES,
  maxStreams: env.MAX_STREAMS,
  console: { links: env.CONSOLE_LINKS },
  isBehindTls: env.BEHIND_TLS === 'on',
  payloadLimitBytes: env.PAYLOAD_LIMIT_BYTES,
  isStopping: () => stopping.signal.aborted,
};
const orders = new OrderStream({
  place: (count) =>
    db.$transaction((tx) => placeLivingOrders(tx, count, Math.random, (shards ?? redis)?.enqueueReceipt)),
  onFailed: (error) => log.warn({ reason: error.message }, 'shop.order_failed'),
  random: Math.random,
});
const trouble =
  env.SHOP_TROUBLE === 'on' ? { mailboxUrl: env.MAILBOX_URL, killWorker: askParent(), orders } : undefined;
const one = { db, queue: openQueue(db, { noWait }), ...(readDb === undefined ? {} : { readDb }) };
const routes = shopRoutes({ ...parts, ...one, trouble });
const own = { metrics, routes };
const table =
  shards === undefined
    ? createQueueHandler({ ...parts, ...one }, own)
    : createQueueHandler({ ...parts, shards: shards.clients, shardOf: shards.shardOf }, own);
const dedicated =
  redis === undefined
    ? undefined
    : createQueueHandler({ ...parts, queue: redis.queue, basePath: REDIS_PATH }, { metrics: createMetrics() });
const isOfRedis = ({ url }: Request): boolean => `${new URL(url).pathname}/`.startsWith(`${REDIS_PATH}/`);
const server = createServer({
  fetch: (request, serverEnv) =>
    dedicated !== undefined && isOfRedis(request) ? dedicated(request, serverEnv) : table(request, serverEnv),
});

async function stop(signal: NodeJS.Signals): Promise<void> {
  // A second signal ends the process at once.
  if (stopping.signal.aborted) process.exit(128 + constants.signals[signal]);
  stopping.abort();
  stopAlerts();
  log.info({ signal }, 'api.stopping');
  const noOrders = orders.stop();
  const areAllAnswered = await stopServer(server, STOP_GRACE_MS);
  // A query of a request that was cut may still hold a connection.
  await within(
    DISCONNECT_GRACE_MS,
    noOrders.then(() =>
      Promise.all([db.$disconnect(), noWait.$disconnect(), readDb?.$disconnect(), shards?.close(), redis?.close()]),
    ),
  ).catch(() => {});
  log.info({ signal, areAllAnswered }, 'api.stopped');
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

/** All that a start asks of the database: any of it may meet one that is not there yet, or has no time. */
async function prepare(): Promise<void> {
  try {
    await checkDatabase(db, databaseUrl);
    if (env.REPLICATED === 'required') await checkReplication(db, databaseUrl);
    await ensurePartitions(db, PARTITION_DAYS);
    await registerDefinitions(db, catalog);
    await shards?.prepare((facts) => log.warn(facts, 'shard.away'));
  } catch (error) {
    throw describeDatabaseError(error, databaseUrl);
  }
}

async function start(): Promise<void> {
  await awaitDatabase(prepare, {
    waitMs: env.DATABASE_WAIT_MS,
    onWait: ({ problem, fix: remedy }, waitMs) => log.warn({ problem, remedy, waitMs }, 'database.awaited'),
    signal: stopping.signal,
  });
  // where every worker is dead, nobody else tells
  if (!stopping.signal.aborted) stopAlerts = await watchAlerts({ db, log });
  const port = await listenOn(server, host, env.API_PORT);
  log.info({ host, port }, 'api.started');
  if (env.SHOP_ORDERS === 'on') orders.start();
}

try {
  await start();
} catch (error) {
  // The process was told to stop while it started, so this error is expected.
  if (!stopping.signal.aborted) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(error instanceof OptionsError ? 2 : 1);
  }
}
