import { defineCatalog, defineJob } from '@duework/contracts';
import { createKey } from '@duework/operate';
import { enqueue, type Handlers, registerDefinitions } from '@duework/queue-core';
import { startTestWorker, waitForJob } from '@duework/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { useTestApi } from '../testing/use-test-api.js';
import { authorizeByKey } from './authorize/authorize-by-key.js';

const payload = z.object({ n: z.int() });
const family = defineJob({ type: 'family', payload, durable: true });
const child = defineJob({ type: 'child', payload, maxAttempts: 1 });
const catalog = defineCatalog([family, child]);
const api = useTestApi(({ db }) => ({ catalog, authorize: authorizeByKey(db) }));
const keys: Record<string, Record<string, string>> = {};
let [ended, waiting, ofWaiting, stop] = ['', '', '', async () => {}];

beforeAll(async () => {
  await registerDefinitions(api.db, catalog);
  for (const [name, types] of [
    ['family', ['family']],
    ['child', ['child']],
    ['both', ['child', 'family']],
  ] as const) {
    const { text } = await createKey(api.db, { name, scopes: ['read', 'payloads', 'enqueue'], types });
    keys[name] = { Authorization: `Bearer ${text}` };
  }
  const handlers: Handlers<typeof catalog> = {
    family: async ({ payload: { n }, child: run }) => {
      await run(child, { n }, n === 1 ? {} : { delay: '1h' }).catch(() => undefined);
    },
    child: () => Promise.reject(Object.assign(new Error('the tax office is closed'), { code: 'no_office' })),
  };
  const { worker, events } = await startTestWorker<typeof catalog>(api.db, { catalog, handlers });
  stop = () => worker.stop({ deadlineMs: 0 }).then(() => undefined);
  ended = (await enqueue(api.db, family, { n: 1 })).id;
  await waitForJob(api.db, ended);
  // the first one has not waited if its child had ended by then
  const before = events.named('job.snoozed').length;
  waiting = (await enqueue(api.db, family, { n: 2 })).id;
  await events.waitFor('job.snoozed', before + 1);
  const rows = await api.db.$queryRaw<{ id: string }[]>`
    SELECT awaited AS id FROM duework.job_steps WHERE run_id = ${waiting}::text::bigint AND awaits = 'child'`;
  ofWaiting = rows[0]!.id;
});
afterAll(() => stop());

const read = async (who: string, path: string) => (await api.get(path, keys[who]!)).body;

describe('a key that is for some types is told of a job of another type', () => {
  test('by the steps of its own neither the id, nor how and why it has ended', async () => {
    const shown = await read('both', `/v1/jobs/${ended}/steps`);
    expect(shown.steps).toMatchObject([
      { of: expect.any(String), status: 'failed', end: 'dead', error: { code: 'no_office' } },
    ]);
    const hidden = await read('family', `/v1/jobs/${ended}/steps`);
    expect(hidden.steps).toMatchObject([
      { name: 'child', status: 'failed', of: null, end: null, error: null, sentence: expect.any(String) },
    ]);
    expect(JSON.stringify(hidden)).not.toMatch(new RegExp(`office|dead|"${shown.steps[0].of}"`));
  });

  test('by a step that waits, and by why its own job waits, not for which', async () => {
    const steps = (who: string) => read(who, `/v1/jobs/${waiting}/steps`);
    const explained = (who: string) => read(who, `/v1/jobs/${waiting}/explain`);
    expect((await steps('both')).steps[0]).toMatchObject({ of: ofWaiting, sentence: `waits for job ${ofWaiting}` });
    expect((await steps('family')).steps[0]).toMatchObject({ of: null, sentence: 'waits for another job' });
    expect(await explained('both')).toMatchObject({ code: 'suspended', facts: { waits: [{ of: ofWaiting }] } });
    const hidden = await explained('family');
    expect(hidden).toMatchObject({ code: 'suspended', facts: { count: 1, waits: [{ kind: 'job', of: null }] } });
    expect(hidden.sentence).toContain('for another job');
    expect(JSON.stringify(hidden)).not.toContain(ofWaiting);
  });

  test('by a child neither its parent, nor which of its jobs are the children of one', async () => {
    expect((await read('both', `/v1/jobs/${ofWaiting}/steps`)).parent).toBe(waiting);
    expect((await read('child', `/v1/jobs/${ofWaiting}/steps`)).parent).toBeNull();
    for (const path of ['/v1/jobs', '/v1/jobs/count', '/v1/events'])
      for (const id of [waiting, '4000000000000000000'])
        expect(await api.get(`${path}?filter=parent:${id}`, keys['child'])).toMatchObject({
          status: 403,
          body: { code: 'limited_to_types' },
        });
    expect((await read('both', `/v1/jobs?filter=parent:${waiting}`)).jobs).toMatchObject([{ id: ofWaiting }]);
  });
});
