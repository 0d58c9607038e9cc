/**
 * A server that dies while it answers: `node die-in-flight.mjs <url of the database>`. It enqueues a run and is killed
 * before the transaction that keeps its answer can commit.
 */
import { defineJob } from '@duework/contracts';
import { connectPg } from '@duework/database';
import { answerOnce } from '@duework/operate';
import { enqueue } from '@duework/queue-core';
import { z } from 'zod';

const [url] = process.argv.slice(2);
const note = defineJob({ type: 'note', payload: z.object({ n: z.number() }) });
await answerOnce(connectPg({ url }), { principal: 'shop', key: 'crash', fingerprint: 'f' }, async (tx) => {
  await enqueue(tx, note, { n: 1 });
  process.stdout.write('written\n');
  // whoever started it kills it now
  await new Promise((resolve) => setTimeout(resolve, 30_000));
});
