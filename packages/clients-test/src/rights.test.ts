import { randomBytes } from 'node:crypto';
import { applyRoles, grantRole } from '@duework/database/migrate';
import { withServer } from '@duework/database/testing';
import { enqueue, enqueueMany, findJobs, jobRequest, retryJob, type Queryable } from '@duework/queue-core';
import { echo, useTestDatabase } from '@duework/testing/fixtures';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CLIENTS } from './list-clients.js';
import type { OpenedClient } from './opened-client.js';

const database = useTestDatabase();
const suffix = randomBytes(4).toString('hex');
/** Without any right, with USAGE on the schema alone, with all that an application needs. */
const [none, usage, app] = [`none_${suffix}`, `usage_${suffix}`, `app_${suffix}`] as const;
const urlOf = (role: string): string =>
  Object.assign(new URL(database.url), { username: role, password: suffix }).toString();

beforeAll(async () => {
  await withServer(database.url, async (owner) => {
    for (const role of [none, usage, app]) await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD '${suffix}'`);
    await owner.query(`GRANT USAGE ON SCHEMA duework TO ${usage}`);
  });
  await applyRoles({ url: database.url });
  await grantRole({ url: database.url, role: 'duework_app', to: app });
});
// the file's own database, and so what was granted in it, is gone by now
afterAll(() =>
  withServer(Object.assign(new URL(database.url), { pathname: '/postgres' }).toString(), async (server) => {
    for (const role of [none, usage, app]) await server.query(`DROP ROLE ${role}`);
  }),
);

const refusal = (role: string | null, needs: string, reason: RegExp) => ({
  code: 'permission_denied',
  facts: { role, has: [], needs: expect.arrayContaining([needs]), reason: expect.stringMatching(reason) },
  message: expect.stringContaining(`npx duework roles --grant ${needs} --to ${role ?? '<role>'}`),
});

describe.each(CLIENTS)('%s', (_, open) => {
  const opened = new Map<string, OpenedClient>();
  beforeAll(async () => {
    for (const role of [none, usage, app]) opened.set(role, await open(urlOf(role)));
  });
  afterAll(async () => {
    for (const one of opened.values()) await one.close();
  });
  const clientOf = (role: string): Queryable => opened.get(role)!.client;

  test('is told by permission_denied which role it connects as, what that may not do, and who grants it', async () => {
    for (const [role, reason] of [
      [none, /^permission denied for schema duework$/],
      [usage, /^permission denied for function enqueue_1$/],
    ] as const)
      await expect(enqueue(clientOf(role), echo, { n: 1 })).rejects.toMatchObject(refusal(role, 'duework_app', reason));
    const many = enqueueMany(clientOf(usage), [jobRequest(echo, { n: 1 }), jobRequest(echo, { n: 2 })]);
    await expect(many).rejects.toMatchObject(
      refusal(usage, 'duework_app', /^permission denied for function enqueue_many_1$/),
    );
    await expect(retryJob(clientOf(usage) as never, '1')).rejects.toMatchObject(
      refusal(usage, 'duework_operator', /^permission denied for \w+ \w+$/),
    );
  });

  test('is told so in a transaction, too, which answers no more who it is', async () => {
    for (const role of [none, usage])
      await expect(opened.get(role)!.transact((tx) => enqueue(tx, echo, { n: 1 }))).rejects.toMatchObject(
        refusal(null, 'duework_app', /^permission denied for (schema duework|function enqueue_1)$/),
      );
  });

  test('enqueues with duework_app, also in its transactions, and is told what that does not allow', async () => {
    await enqueue(clientOf(app), echo, { n: 1 });
    await opened.get(app)!.transact((tx) => enqueue(tx, echo, { n: 2 }));
    await expect(findJobs(clientOf(app))).rejects.toMatchObject({
      code: 'permission_denied',
      facts: { role: app, has: ['duework_app'] },
      message: expect.stringContaining(`--grant duework_operator --to ${app}`),
    });
  });
});
