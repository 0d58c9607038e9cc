import { createKey } from '@duework/operate';
import { createOperator } from '../../../kit/create-operator.js';
import type { Incident, Scene } from '../incident.js';
import { countJobs, enqueueReceipts } from '../receipts.js';

const leaked = new WeakMap<Scene, string>();

/** Somebody has found an API key, and used it. */
export const leakedKey: Incident = {
  wrong: 'The API key ci was in a public log for an hour.',
  page: 'runbook.md#an-api-key-is-in-a-log-or-its-owner-has-left',
  async begin(scene) {
    const { text } = await createKey(scene.db, { name: 'ci', scopes: ['read', 'operate'] });
    leaked.set(scene, text);
    const ids = await enqueueReceipts(scene, 5, { delaySeconds: 3_600 });
    const thief = createOperator(scene.url, text);
    for (const id of ids.slice(0, 3)) await thief.post(`/v1/jobs/${id}/cancel`, {});
    await scene.startWorker('mail-1');
  },
  async play({ see, run }) {
    await run('keys list', /^ci +\S+ +active/m);
    await run("keys revoke ci --reason 'it was in a log'", /The key ci is revoked/);
    await run('audit --by key:ci', /key:ci .*cancel +job/);
    await run('jobs status:cancelled --count', /^3/m);
    await run("bulk retry status:cancelled --reason 'cancelled by whoever had the key' --yes", /3 of 3 changed/);
    await run('keys create --name ci-2 --scope read --expires 90d', /dwk_/);
    await see('jobs status:cancelled --count', /^0/m);
  },
  click: 'the console has no screen for keys: they are revoked with the command, by whoever has one that may',
  async judge(scene) {
    const headers = { authorization: `Bearer ${leaked.get(scene)!}` };
    const { status } = await fetch(`${scene.url}/v1/principal`, { headers });
    const cancelled = await countJobs(scene, 'status:cancelled');
    return [
      ...(status === 401 ? [] : ['The key ci still opens the API.']),
      ...(cancelled === 0 ? [] : [`${cancelled} jobs are cancelled.`]),
    ];
  },
};
