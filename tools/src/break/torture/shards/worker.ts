/** A worker of all shards, whose jobs write down what they do in the transaction that completes them. */
import { connectPg } from '@duework/database';
import { parseShardUrls, splitId } from '@duework/shards';
import { runWorker } from '@duework/worker';
import { serveParent } from '../../../kit/serve-parent.js';
import { readSettings } from '../processes/read-settings.js';
import { shardCatalog } from './shard-jobs.js';

const { shards } = readSettings() as { readonly shards: string };
const clients = Object.fromEntries(
  Object.entries(parseShardUrls(shards)).map(([name, url]) => [
    name,
    connectPg({
      url,
      poolSize: 8,
      role: 'app',
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 2_000,
      onConnectionLost: () => {},
    }),
  ]),
);
const silent = (): void => {};

const tell = serveParent({});
await runWorker({
  catalog: shardCatalog,
  handlers: {
    async note({ run, fence, payload, completeIn }) {
      const { shard, id } = splitId(run.id);
      await clients[shard!]!.$transaction(async (tx) => {
        await tx.$queryRaw({
          text: 'INSERT INTO witness.done (n, run_id, fence, begun_at) VALUES ($1, $2, $3, clock_timestamp())',
          values: [payload.n, id, fence],
        });
        await completeIn(tx);
      });
    },
  },
  shards,
  argv: [],
  workerPort: 'none',
  log: { debug: silent, info: silent, warn: silent, error: silent },
  onStarted: () => tell('started'),
});
