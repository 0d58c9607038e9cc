import { waitUntil } from '../../../kit/wait-until.js';
import type { Incident } from '../incident.js';
import { enqueueReceipts, judgeReceipts } from '../receipts.js';

const CUSTOMERS = 14;
const HANGING = 10;

/** One worker stands still, another is killed, both in the middle of their mails. */
export const lostWorkers: Incident = {
  wrong: 'The machine with the workers is not well.',
  page: 'runbook.md#nothing-runs',
  async begin(scene) {
    const { mail } = scene;
    mail.isHanging = true;
    const [frozen, killed] = [await scene.startWorker('frozen-1'), await scene.startWorker('killed-1')];
    await enqueueReceipts(scene, CUSTOMERS);
    await waitUntil('Not all mails are on their way', () => mail.accepted.size === HANGING);
    frozen.stop('SIGSTOP');
    killed.stop('SIGKILL');
    await killed.exited;
    mail.isHanging = false;
  },
  others: {
    do: 'your colleagues start a worker on another machine',
    run: ({ startWorker }) => startWorker('new-1'),
  },
  async play({ see, run, others }) {
    await see('status', /The worker frozen-1-\w+ has renewed none of its 5 leases for \d+ s/);
    await run('workers', /killed-1.*gone, or cut off/);
    await others();
    await see('jobs status:dead code:effect_unknown --count', /^10/m);
    await see('alerts', /effect_unknown\/send_receipt/);
    const [, id] = await run('jobs status:dead code:effect_unknown --limit 1', /^(\d+) +send_receipt +dead/m);
    await run(`show ${id}`, /receipt:R-\d+[^]*Look for Message-ID/);
    const retry = 'bulk retry status:dead code:effect_unknown';
    await run(`${retry} --effects-happened --reason 'all are in the mailboxes' --yes`, /10 of 10 changed/);
    await see('jobs status:succeeded --count', /^14/m);
  },
  async click({ press, see, others, back }) {
    await see(/frozen-1-\w+ has renewed none of its leases/);
    await press('Workers');
    await see(/gone, or cut off/);
    await others();
    await press('Alerts');
    await see(/may or may not|unknown/);
    await press('Jobs');
    await press(/^\d{10,}$/);
    await see('Message-ID');
    await back();
    await press('Select the jobs of this page');
    await press('Retry');
    await press('it happened: continue without it');
    await press('Retry 10 jobs');
    await see('Now 10 succeeded');
  },
  judge: (scene) => judgeReceipts(scene, CUSTOMERS),
};
