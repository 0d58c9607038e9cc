import type { Incident } from '../incident.js';
import { enqueueReceipts, receipt, untilJobs } from '../receipts.js';

const PAYLOAD = '{"receiptId":"R-1777","email":"seven@example.org","amountCents":1767,"currency":"EUR"}';

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
    const [, id] = await run('jobs payload.email:seven@nowhere.invalid', /^(\d+) +send_receipt/m);
    await run(`show ${id}`, /smtp_550.*No such mailbox here/);
    await run(`free-key ${id} --reason 'the customer has called'`, /free/);
    const [, next] = await run(`enqueue send_receipt '${PAYLOAD}'`, /^Job (\d+) is enqueued/);
    await see(`show ${next}`, /status +succeeded/);
    await run(`acknowledge ${id} --reason 'sent to the right address'`, /acknowledged/);
    await run(`audit --job ${id}`, /key:on-call.*the customer has called/);
  },
  async click({ press, search, write, see, back }) {
    await press('Jobs');
    await search('payload.email:seven@nowhere.invalid');
    await press(/^\d{10,}$/);
    await see(/No such mailbox here/);
    await press('More …');
    await press('Free the key');
    await press('Free the key');
    await press('Edit and enqueue again');
    await write('JSON', PAYLOAD);
    await press('Enqueue');
    await press(/^\d{10,}$/);
    await see('succeeded');
    await back();
    await back();
    await press('Acknowledge');
    await press('Acknowledge');
  },
  async judge(scene) {
    const isThere = scene.mail.accepted.get('seven@example.org') === 1;
    return isThere ? [] : ['seven@example.org has no mail, or two.'];
  },
};
