import type { Incident } from '../incident.js';
import { enqueueReceipts, judgeReceipts } from '../receipts.js';

const CUSTOMERS = 150;

/** More comes in than two slots can do. */
export const backlog: Incident = {
  wrong: 'Receipts come later and later.',
  page: 'runbook.md#the-backlog-grows',
  async begin(scene) {
    scene.mail.mailMs = 500;
    await scene.startWorker('mail-1', { slots: 2 });
    await enqueueReceipts(scene, CUSTOMERS);
  },
  others: {
    do: 'your colleagues start a second worker, with 50 slots',
    run: ({ startWorker }) => startWorker('mail-2', { slots: 50 }),
  },
  async play({ see, run, others }) {
    await see('status', /All slots of the queue default \(2\) are taken, and \d+ jobs wait.* at [\d.]+ a second/);
    const [, id] = await run('jobs status:queued --limit 1', /^(\d+) +send_receipt/m);
    await run(`explain ${id}`, /behind \d+ others in the queue default/);
    await run('workers', /2 of 2/);
    await others();
    await see('jobs status:queued,running --count', /^0/m);
  },
  async click({ press, see, others }) {
    await see(/All 2 slots of the queue default are taken/);
    await press('Workers');
    await see('2/2');
    await others();
    await press('Overview');
    await see('Nothing is wrong');
  },
  judge: (scene) => judgeReceipts(scene, CUSTOMERS),
};
