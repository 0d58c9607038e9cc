import type { Incident } from '../incident.js';
import { enqueueReceipts, judgeReceipts, untilJobs } from '../receipts.js';

const CUSTOMERS = 40;
const MAIN = 'tools/dist/src/break/incident/serve-bad-deploy.js';

/** A new version throws in every run. */
export const badDeploy: Incident = {
  wrong: 'Since the deploy of this evening something is wrong with the receipts.',
  page: 'runbook.md#many-jobs-are-dead',
  async begin(scene) {
    await scene.startWorker('mail-2', { main: MAIN });
    await enqueueReceipts(scene, CUSTOMERS, { maxAttempts: 1 });
    await untilJobs(scene, CUSTOMERS, 'status:dead');
  },
  others: {
    do: 'your colleagues deploy the version before it',
    async run({ workers, startWorker }) {
      workers.get('mail-2')!.stop('SIGTERM');
      await startWorker('mail-1');
    },
  },
  async play({ see, run, others }) {
    await see('alerts', /failing_job_type\/send_receipt/);
    await see('status', /40 of 40 attempts of send_receipt failed .*duework failures --type send_receipt/);
    const found = await run('failures --type send_receipt', /began .*with version 2\.0\.0[^]*duework show (\d+)/);
    await run(`show ${found[1]}`, /TypeError: Cannot read properties of undefined[^]*serve-bad-deploy/);
    await run("pause type send_receipt --reason 'a bad deploy'", /is paused/);
    await others();
    await run('workers', /mail-1/);
    await run('resume type send_receipt', /send_receipt/);
    await run("bulk retry status:dead code:TypeError --reason 'deployed 1.4.2 again' --yes", /40 of 40 changed/);
    await see('bulk show 1', /40 of them succeeded|40 succeeded/);
  },
  async click({ press, see, others }) {
    await see(/40 of 40 attempts/);
    await press('Failures');
    await press(/TypeError/);
    await see('2.0.0');
    await press('Pause send_receipt');
    await press('Pause');
    await others();
    await press('Resume send_receipt');
    await press('Resume');
    await press('Retry the 40 dead');
    await press('Retry 40 jobs');
    await see('Now 40 succeeded');
  },
  judge: (scene) => judgeReceipts(scene, CUSTOMERS),
};
