import { waitUntil } from '../../../kit/wait-until.js';
import type { Incident } from '../incident.js';
import { enqueueReceipts, judgeReceipts } from '../receipts.js';

const CUSTOMERS = 20;
const ON = 'no_worker_for_type/send_receipt';
/** An alert ends when its cause has been gone for two minutes. */
const GONE_MS = 240_000;

/** The pager rings: it is taken, silenced, and it says when it is over. */
export const alerts: Incident = {
  wrong: 'Your pager rings.',
  page: 'alerts.md#acknowledge-or-silence',
  async begin(scene) {
    await enqueueReceipts(scene, CUSTOMERS);
    const rings = (): boolean => scene.posts.some(({ key }) => key.startsWith(ON));
    const look = async (): Promise<boolean> => (await scene.lookForAlerts(), rings());
    await waitUntil('The pager does not ring', look, { limitMs: GONE_MS, everyMs: 1_000 });
  },
  others: { do: 'your colleagues start a worker', run: ({ startWorker }) => startWorker('mail-1') },
  async play({ see, run, others, scene }) {
    const [alert] = await see('alerts', /no_worker_for_type\/send_receipt\S*/);
    await run(`alerts acknowledge ${alert}`, /looks? after/);
    await run("alerts silence oldest_job_waits_too_long --for 1h --reason 'the same cause'", /silenc/);
    await run('status', /Due, and no worker serves it: 20 send_receipt/);
    await others();
    await see('jobs status:queued,running --count', /^0/m);
    const isOver = async (): Promise<boolean> => {
      await scene.lookForAlerts();
      return scene.posts.some(({ key, status }) => key === alert && status === 'resolved');
    };
    await waitUntil('Nobody says that it is over', isOver, { limitMs: GONE_MS, everyMs: 1_000 });
    await run('alerts silence oldest_job_waits_too_long --end', /oldest_job_waits_too_long/);
    await run('alerts test --severity info', /tell it within about a minute/);
  },
  async click({ press, see, others }) {
    await press('Alerts');
    await see(/No running worker can read send_receipt/);
    await press('I take it');
    await press('Silence');
    await press('an hour');
    await press('Silence');
    await others();
    await press('End');
    await press('Send a test alert');
    await see('A test alert was raised');
  },
  judge: (scene) => judgeReceipts(scene, CUSTOMERS),
};
