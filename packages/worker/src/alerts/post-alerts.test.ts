import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkerEvent } from '@duework/queue-core';
import { pino } from 'pino';
import { postAlerts } from './post-alerts.js';

const event: WorkerEvent = {
  name: 'alert.raised',
  worker: 'tester',
  alert: { name: 'too_many_dead_jobs', facts: { deadInTheLastHour: 11, limit: 10 } },
};
const now = (): Date => new Date('2026-11-20T12:00:00Z');
let status = 200;
let tellBody: (body: unknown) => void = () => {};
let authorization: string | undefined;
const receiver = createServer((request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  authorization = request.headers.authorization;
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    response.writeHead(status).end('answer');
    tellBody(JSON.parse(body));
  });
});

beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

/** Sends the alert; `line` resolves with the first log line. */
function send(url: string) {
  let tellLine: (line: Record<string, unknown>) => void = () => {};
  const line = new Promise<Record<string, unknown>>((resolve) => (tellLine = resolve));
  const log = pino({ level: 'trace' }, { write: (text) => tellLine(JSON.parse(text) as Record<string, unknown>) });
  postAlerts({ log, url, now })(event);
  return { line };
}

const url = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/geheim`;

test('an alert is posted with a sentence and its facts', async () => {
  const body = new Promise((resolve) => (tellBody = resolve));
  send(url());
  expect(await body).toEqual({
    name: 'too_many_dead_jobs',
    text: 'Jobs that were given up within the last hour: 11; the limit is 10.',
    facts: { deadInTheLastHour: 11, limit: 10 },
    worker: 'tester',
    at: '2026-11-20T12:00:00.000Z',
  });
});

test('a user and a password of the address are sent as such', async () => {
  const body = new Promise((resolve) => (tellBody = resolve));
  send(url().replace('//', '//ana:p%C3%A4ss%40@'));
  await body;
  expect(authorization).toBe(`Basic ${Buffer.from('ana:päss@').toString('base64')}`);
});

test('an alert that cannot be delivered is logged, without the address', async () => {
  status = 500;
  const refused = await send(url()).line;
  expect(refused).toMatchObject({ msg: 'alert.unsent', alert: 'too_many_dead_jobs', status: 500 });
  const away = await send('http://127.0.0.1:1/geheim').line;
  expect(away).toMatchObject({ msg: 'alert.unsent', reason: expect.any(String) });
  expect(JSON.stringify([refused, away])).not.toContain('geheim');
});
