/** Another worker's rescue, in a process of its own: looks for expired leases all the time, and tells after each look. */
import { connectPrisma } from '@duework/database';
import { createPostgresStore } from '@duework/queue-core';

const store = createPostgresStore({ db: connectPrisma({ url: process.argv[2], poolSize: 1 }) });
for (;;) {
  process.send({ rescued: (await store.rescue(100)).map((run) => run.id) });
  await new Promise((resolve) => setTimeout(resolve, 50));
}
