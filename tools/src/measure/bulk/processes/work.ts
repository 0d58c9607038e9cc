/** A worker for both types, whose handlers do nothing, until it is killed. */
import { connectPg, parseDatabaseUrl } from '@duework/database';
import { createPostgresStore, createWorker, heartbeatInThread } from '@duework/queue-core';
import { serveParent } from '../../../kit/serve-parent.js';
import { catalog } from '../measured.js';

const url = process.argv[2]!;
const silent = (): void => {};
const worker = createWorker({
  name: `measured-${process.pid}`,
  store: createPostgresStore({ db: connectPg({ url, poolSize: 6 }) }),
  catalog,
  handlers: { normal: async () => {}, revived: async () => {} },
  emit: silent,
  logOf: () => ({ debug: silent, info: silent, warn: silent, error: silent }),
  concurrency: 50,
  leases: heartbeatInThread({ ...parseDatabaseUrl(url), catalog }),
});
serveParent({ start: () => worker.start() }, { isFailureTold: true });
