import { openClient } from '../../../kit/open-client.js';
import type { Incident, Scene } from '../incident.js';
import { enqueueReceipts, untilJobs } from '../receipts.js';

const NAME = 'report-of-sales';

const isThere = async ({ db }: Scene): Promise<boolean> =>
  (await db.query('SELECT FROM pg_stat_activity WHERE application_name = $1', [NAME])).rowCount! > 0;

/** A transaction that somebody left open keeps every dead row. */
export const oldSnapshot: Incident = {
  wrong: 'The tables grow, although jobs finish.',
  page: 'database.md#the-table-grows-although-jobs-finish',
  async begin(scene) {
    const client = await openClient(scene.databaseUrl, { application_name: NAME });
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM duework.jobs');
    await scene.startWorker('mail-1');
    await enqueueReceipts(scene, 20);
    await untilJobs(scene, 20, 'status:succeeded');
  },
  async play({ see, run, scene }) {
    await see('alerts', /horizon_pinned/);
    const [, pid] = await run('status', /Dead rows .*pg_terminate_backend\((\d+)\)/);
    await scene.db.query('SELECT pg_terminate_backend($1)', [pid]);
    await run('doctor', /^(?![^]*snapshot_pinned)/);
  },
  others: {
    do: 'the owner of the database ends the session',
    run: ({ db }) =>
      db.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [NAME]),
  },
  async click({ see, others }) {
    await see(/pg_terminate_backend\(\d+\)/);
    await others();
    await see('Nothing is wrong');
  },
  judge: async (scene) => ((await isThere(scene)) ? [`The session of ${NAME} is still there.`] : []),
};
