import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deliverWebhook } from '@duework/shop';
import { enqueue } from '@duework/queue-core';
import { openTestDatabase } from '../testing/open-test-database.js';
import { startTestWorker, type TestWorker } from '../testing/start-test-worker.js';
import { isPublicAddress } from '../webhook/is-public-address.js';
import { postWebhook } from '../webhook/post-webhook.js';
import type { TargetAddress } from '../webhook/resolve-target.js';

/** The addresses to which each name resolves. */
const names = new Map<string, readonly TargetAddress[]>();
const asked: string[] = [];
let requests = 0;
const inside = createServer((_request, response) => {
  requests++;
  response.writeHead(204).end();
});
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let worker: TestWorker;
let port: number;
let eventCount = 0;

const v4 = (address: string): TargetAddress => ({ address, family: 4 });

beforeAll(async () => {
  database = await openTestDatabase();
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  port = (inside.address() as AddressInfo).port;
  const resolve = async (host: string): Promise<readonly TargetAddress[]> => {
    asked.push(host);
    return (
      names.get(host) ??
      Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }))
    );
  };
  worker = await startTestWorker({ ...database, webhook: { isPrivateAllowed: false, resolve, timeoutMs: 1_000 } });
});
afterAll(async () => {
  await worker.stop();
  inside.close();
  await database.close();
});

async function send(url: string) {
  return enqueue(database.db, deliverWebhook, { eventId: `evt_${++eventCount}`, url, event: 'e', body: {} });
}

test('a webhook is never posted to a private address, whatever its name resolves to', async () => {
  names.set('inside.example', [v4('127.0.0.1')]);
  names.set('both.example', [v4('93.184.216.34'), v4('10.0.0.1')]);
  names.set('metadata.example', [v4('169.254.169.254')]);
  names.set('mapped.example', [{ address: '::ffff:127.0.0.1', family: 6 }]);
  const urls = [
    ...[
      'inside.example',
      'both.example',
      'metadata.example',
      'mapped.example',
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '127.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[fd00::1]',
      '①②⑦.0.0.1',
    ].map((host) => `http://${host}:${port}/`),
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
  ];
  for (const url of urls) {
    const { id } = await send(url);
    expect(await worker.end(id)).toMatchObject({ name: 'job.dead', error: { code: 'webhook_address_refused' } });
  }
  expect(requests).toBe(0);
  expect(await database.db.jobEffect.count({ where: { status: { not: 'undone' } } })).toBe(0);
});

test('a name is resolved once, so that it cannot lead elsewhere before the connection', async () => {
  // the connection goes to the checked address: no name server knows this name
  const url = new URL(`http://rebinding.invalid:${port}/`);
  const answer = await postWebhook({
    url,
    addresses: [v4('127.0.0.1')],
    headers: {},
    body: '{}',
    signal: AbortSignal.timeout(10_000),
  });
  expect(answer.status).toBe(204);

  names.set('twice.example', [v4('10.1.2.3')]);
  const { id } = await send('http://twice.example/');
  await worker.end(id);
  expect(asked.filter((host) => host === 'twice.example')).toHaveLength(1);
});

test('a webhook to an unknown name is tried again, and no text quotes the name', async () => {
  const { id } = await send('http://secret-name.example/');
  const { error } = await worker.event(id, 'job.failed');
  expect(error).toMatchObject({ code: 'ENOTFOUND' });
  expect(error.message).not.toContain('secret-name');
});

test('only addresses on the public internet count as public', () => {
  const isPublic = ['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:8.8.8.8'];
  const isNot = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2002:a00:1::',
    '2001::1',
    'fc00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '4000::1',
    'not an address',
    '',
  ];
  expect(isPublic.filter((address) => !isPublicAddress(address))).toEqual([]);
  expect(isNot.filter((address) => isPublicAddress(address))).toEqual([]);
});
