/** Reads what has ended, in a process of its own, and tells each page; it begins behind the cursor that it is given. */
import { connectPg } from '@duework/database';
import { readEndedJobs } from '@duework/operate';

const db = connectPg({ url: process.argv[2], poolSize: 1 });
let after = process.argv[3];
for (;;) {
  const page = await readEndedJobs(db, { after, limit: 10 });
  after = page.cursor;
  process.send({ ids: page.jobs.map(({ id }) => id), cursor: after });
  if (page.isCaughtUp) await new Promise((resolve) => setTimeout(resolve, 20));
}
