import type { Incident } from '../incident.js';
import { countJobs, enqueueReceipts, judgeReceipts, untilJobs } from '../receipts.js';

const CUSTOMERS = 60;

/** A provider refuses everything for a while. */
export const mailServer: Incident = {
  wrong: 'Customers say that they get no receipts.',
  page: 'runbook.md#many-jobs-are-dead',
  async begin(scene) {
    scene.mail.isDown = true;
    await scene.startWorker('mail-1');
    // one attempt each: the retries would take hours
    await enqueueReceipts(scene, CUSTOMERS, { maxAttempts: 1 });
    await untilJobs(scene, CUSTOMERS, 'status:dead');
  },
  others: {
    do: 'the mail provider says that it works again',
    run: ({ mail }) => Promise.resolve((mail.isDown = false)),
  },
  async play({ see, run, others, scene }) {
    await see('alerts', /failing_job_type\/send_receipt/);
    await see('status', /60 of 60 attempts of send_receipt failed within five minutes/);
    await run('failures --range 1h', /error +smtp_421 .*Service not available/);
    await run("pause type send_receipt --reason 'the provider is down'", /is paused/);
    await others();
    await run('resume type send_receipt', /send_receipt/);
    await run("bulk retry status:dead code:smtp_421 --reason 'the provider is back' --yes", /60 of 60 changed/);
    await see('bulk show 1', /60 of them succeeded|60 succeeded/);
    if ((await countJobs(scene, 'bulk:1 status:succeeded')) !== CUSTOMERS) throw new Error('Not all succeeded.');
  },
  async click({ press, see, others }) {
    await see(/60 of 60 attempts failed/);
    await press('Failures');
    await press(/smtp_421/);
    await see('Retry the 60 dead');
    await press('Pause send_receipt');
    await press('Pause');
    await others();
    await press('Resume send_receipt');
    await press('Resume');
    await press('Retry the 60 dead');
    await press('Retry 60 jobs');
    await see('Now 60 succeeded');
  },
  judge: (scene) => judgeReceipts(scene, CUSTOMERS),
};
