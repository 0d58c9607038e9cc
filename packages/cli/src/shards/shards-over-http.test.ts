import { useServedShards } from '@duework/http/testing';
import { afterEach, expect, test } from '@jest/globals';
import { createProgram } from '../create-program.js';
import { programParts } from '../testing/program-parts.js';

const served = useServedShards(['a', 'b']);
afterEach(() => served.api.restore());

async function run(...args: string[]) {
  let [code, out, told] = [0, '', ''];
  const program = createProgram(
    programParts({
      api: () => ({ url: served.url, key: undefined }),
      exitWith: (ended) => (code = ended),
      write: (text) => (out += text),
      progress: (text) => (told += text),
    }),
  );
  await program.parseAsync(args, { from: 'user' });
  return { code, out, told };
}

test('over an API of several shards rows say their shard, and what is missing is told', async () => {
  const rule = { type: 'cleanup_nightly', cron: '0 3 * * *', timeZone: 'UTC', payload: { day: { $due: 'date' } } };
  for (const shard of ['a', 'b']) await served.api.ask('PUT', `/v1/schedules/of_${shard}?shard=${shard}`, rule);
  expect((await run('schedules')).out).toMatch(/^SHARD +KEY .*\na +of_a .*\nb +of_b /);
  const { id } = await served.api.post('/v1/jobs?shard=a', { type: 'send_invoice', payload: { orderId: 1 } });
  served.api.proxy('b').refuse();
  expect(await run('schedules')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^SHARD +KEY .*\na +of_a /),
    told: 'Shard b is missing in this: database_away.\n',
  });
  expect(await run('jobs')).toMatchObject({ code: 1, out: expect.stringContaining(id) });
  expect(await run('pause', 'queue', 'mail', '--unknown')).toMatchObject({
    code: 1,
    told: 'Shard b is missing in this: database_away.\n',
  });
  await expect(run('--shard', 'a', 'jobs')).rejects.toMatchObject({ code: 'invalid_option' });
});
