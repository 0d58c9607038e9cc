import type { Incident } from '../incident.js';
import { countJobs, enqueueReceipts, receipt, untilJobs } from '../receipts.js';

/** One customer's mail among many. */
export const customer: Incident = {
  wrong: 'seven@nowhere.invalid never got a receipt. The right address is seven@example.org.',
  page: 'runbook.md#a-job-failed',
  async begin(scene) {
    await scene.startWorker('mail-1');
    await enqueueReceipts(scene, 30);
    await scene.shop.post('/v1/jobs', receipt(777, 'seven@nowhere.invalid'));
    await untilJobs(scene, 30, 'status:succeeded');
    await untilJobs(scene, 1, 'status:dead');
  },
  async play({ see, run }) {
    const [, id] = await run('jobs seven@nowhere.invalid', /^(\d+) +send_receipt/m);
    await run(`show ${id}`, /smtp_550.*No such mailbox here/);
    const payload = '{"receiptId":"R-1777","email":"seven@example.org","amountCents":1767,"currency":"EUR"}';
    await run(`update ${id} --payload '${payload}' --reason 'the customer has called'`, /is changed|changed/);
    await run(`retry ${id} --reason 'the customer has called'`, /runs again/);
    await see(`show ${id}`, /succeeded/);
  },
  async judge(scene) {
    const isThere = scene.mail.accepted.get('seven@example.org') === 1;
    const dead = await countJobs(scene, 'status:dead');
    return [
      ...(isThere ? [] : ['seven@example.org has not one mail.']),
      ...(dead === 0 ? [] : [`${dead} jobs are dead.`]),
    ];
  },
};
