import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AlertMessage } from '@duework/queue-core';
import { pino } from 'pino';
import { readAlertTarget } from './alert-target.js';
import { postAlerts } from './post-alerts.js';

const alert: AlertMessage = {
  name: 'failing_job_type',
  subject: 'send_mail',
  severity: 'critical',
  facts: { type: 'send_mail', failed: 15, attempts: 20, share: 0.75, limit: 0.5, seconds: 900, error: 'smtp_<451>' },
  status: 'raised',
  raisedAt: new Date('2026-11-20T11:59:00Z'),
  resolvedAt: null,
  message: 7,
  isFirst: true,
  ways: [],
};
const over: AlertMessage = { ...alert, status: 'resolved', resolvedAt: new Date('2026-11-20T12:00:00Z'), message: 8 };
const other: AlertMessage = {
  ...alert,
  name: 'oldest_job_waits_too_long',
  subject: 'mail',
  severity: 'warning',
  facts: { queue: 'mail', waitingSeconds: 400, limit: 300 },
};
const now = (): Date => new Date('2026-11-20T12:00:00Z');
let status = 200;
interface Received {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: never;
}
let received: Received[] = [];
const receiver = createServer((request: IncomingMessage, response: ServerResponse) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    response.writeHead(status).end('answer');
    received.push({
      path: request.url!,
      authorization: request.headers.authorization,
      body: JSON.parse(body) as never,
    });
  });
});

beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

/** Tells the alerts once; what is told of them, what was posted, and the log lines. */
async function tell(url: string, alerts: readonly AlertMessage[] = [alert]) {
  received = [];
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'trace' },
    { write: (text) => void lines.push(JSON.parse(text) as Record<string, unknown>) },
  );
  const way = postAlerts({ log, target: readAlertTarget(url), consoleUrl: 'https://jobs.example.com/console', now });
  return { told: await way.tell(alerts, 'tester'), received, lines };
}

const url = (rest = ''): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/geheim${rest}`;
const link = 'https://jobs.example.com/console/failures?range=1h&type=send_mail';
const text = '15 of 20 attempts of send_mail failed within 900 s, most with smtp_<451>.';
const advice = 'Find the jobs by the filter status:failed,dead type:send_mail, and look at their errors.';

test('an alert is posted with its key, its severity, a sentence, its facts and a link', async () => {
  const { told, received } = await tell(url());
  expect(told).toEqual([alert]);
  expect(received[0]!.body).toEqual({
    id: 'failing_job_type/send_mail#7',
    key: 'failing_job_type/send_mail',
    name: 'failing_job_type',
    subject: 'send_mail',
    status: 'raised',
    severity: 'critical',
    text,
    advice,
    facts: alert.facts,
    url: link,
    raisedAt: '2026-11-20T11:59:00.000Z',
    resolvedAt: null,
    seconds: 60,
    worker: 'tester',
    at: '2026-11-20T12:00:00.000Z',
  });
});

test('that it is over is posted under the same key', async () => {
  expect((await tell(url(), [over])).received[0]!.body).toMatchObject({
    id: 'failing_job_type/send_mail#8',
    key: 'failing_job_type/send_mail',
    status: 'resolved',
    text: `It is over after 60 s. It was: ${text}`,
    resolvedAt: '2026-11-20T12:00:00.000Z',
  });
});

test('a user and a password of the address are sent as such', async () => {
  const { received } = await tell(url().replace('//', '//ana:p%C3%A4ss%40@'));
  expect(received[0]!.authorization).toBe(`Basic ${Buffer.from('ana:päss@').toString('base64')}`);
});

test('an alert that cannot be delivered is not told, and logged without the address', async () => {
  status = 500;
  const refused = await tell(url());
  status = 200;
  expect([refused.told, refused.lines]).toMatchObject([
    [],
    [{ msg: 'alert.unsent', key: 'failing_job_type/send_mail', status: 500 }],
  ]);
  const away = await tell('http://127.0.0.1:1/geheim');
  expect([away.told, away.lines]).toMatchObject([[], [{ msg: 'alert.unsent', reason: expect.any(String) }]]);
  expect(JSON.stringify([refused, away].map(({ lines }) => lines))).not.toContain('geheim');
});

test.each([
  ['severity=critical', [alert]],
  ['severity=warning,info', [other]],
  ['alert=oldest_job_waits_too_long', [other]],
  ['type=send_mail,send_bill', [alert]],
  ['queue=mail', [other]],
  ['queue=mail&severity=critical', []],
])('of %s only what is wanted is posted, and the rest counts as told', async (wish, expected) => {
  const { told, received } = await tell(url(`#${wish}`), [alert, other]);
  expect(told).toEqual([alert, other]);
  expect(received.map(({ body }) => (body as { key: string }).key)).toEqual(
    expected.map(({ name, subject }) => `${name}/${subject}`),
  );
});

test.each([
  ['11:00-12:30', [alert]],
  ['23:00-12:30', [alert]],
  ['12:00-13:00', [alert]],
  ['11:00-12:00', [alert, other]],
  ['12:30-11:00', [alert, other]],
  ['12:30-13:30@Europe/Berlin', [alert]],
])('in the quiet hours %s only what is critical is told at noon in UTC', async (quiet, expected) => {
  expect((await tell(url(`#quiet=${quiet}`), [alert, other])).told).toEqual(expected);
});

test.each([
  ['https://hooks.slack.com/services/T/B/x', 'slack'],
  ['https://a.webhook.office.com/webhookb2/x', 'teams'],
  ['https://prod-1.westeurope.logic.azure.com:443/workflows/x', 'teams'],
  ['https://a.environment.api.powerplatform.com/powerautomate/x', 'teams'],
  ['https://discord.com/api/webhooks/1/x', 'discord'],
  ['https://key@events.pagerduty.com/v2/enqueue', 'pagerduty'],
  ['https://key@events.eu.pagerduty.com/v2/enqueue', 'pagerduty'],
  ['https://key@api.opsgenie.com/v2/alerts', 'opsgenie'],
  ['https://key@api.eu.opsgenie.com/v2/alerts', 'opsgenie'],
  ['https://chat.example.com/hooks/x#format=slack', 'slack'],
  ['https://example.com/x', 'json'],
])('%s is told as %s', (address, format) => {
  expect(readAlertTarget(address).format).toBe(format);
});

const title = 'critical: failing_job_type/send_mail';

test('Slack gets a section for each alert in one message, and reads none of it as markup', async () => {
  const { received } = await tell(url('#format=slack'), [alert, over]);
  const escaped = text.replace('<451>', '&lt;451&gt;');
  expect(received.map(({ body }) => body)).toEqual([
    {
      text: `${title}\nOver: failing_job_type/send_mail`,
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: `*${title}*\n${escaped}\n${advice}\n<${link.replace('&', '&amp;')}|Show it>` },
        },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: expect.stringMatching(/^\*Over: .*\nIt is over after 60 s\./) },
        },
      ],
    },
  ]);
});

test('Teams gets an adaptive card for each alert in one message', async () => {
  const { received } = await tell(url('#format=teams'));
  expect(received[0]!.body).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', weight: 'Bolder', wrap: true, color: 'Attention', text: title },
            { type: 'TextBlock', wrap: true, text },
            { type: 'TextBlock', wrap: true, isSubtle: true, text: advice },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Show it', url: link }],
        },
      },
    ],
  });
});

test('Discord gets an embed for each alert, at most five in a message, and mentions nobody', async () => {
  const many = Array.from({ length: 7 }, (_, n) => ({ ...alert, subject: `type_${n}` }));
  const { received, told } = await tell(url('#format=discord'), many);
  expect(told).toEqual(many);
  const bodies = received.map(({ body }) => body as { embeds: object[] });
  expect(bodies.map(({ embeds }) => embeds.length).toSorted()).toEqual([2, 5]);
  const one = (await tell(url('#format=discord'))).received[0]!.body;
  expect(one).toEqual({
    allowed_mentions: { parse: [] },
    embeds: [
      { title, description: `${text}\n${advice}`, color: 0xd92d20, timestamp: '2026-11-20T12:00:00.000Z', url: link },
    ],
  });
});

test('PagerDuty gets an event for each alert, whose key opens and resolves one incident', async () => {
  const { received } = await tell(url('#format=pagerduty').replace('//', '//routing@'), [alert, over]);
  const [trigger, resolve] = received
    .map(({ body }) => body)
    .toSorted((a, b) =>
      (a as { event_action: string }).event_action < (b as { event_action: string }).event_action ? 1 : -1,
    );
  expect(trigger).toEqual({
    routing_key: 'routing',
    event_action: 'trigger',
    dedup_key: 'failing_job_type/send_mail',
    payload: {
      summary: text,
      source: 'tester',
      severity: 'critical',
      timestamp: '2026-11-20T11:59:00.000Z',
      component: 'duework',
      class: 'failing_job_type',
      custom_details: { ...alert.facts, advice },
    },
    links: [{ href: link, text: 'Show it' }],
  });
  expect(resolve).toMatchObject({ event_action: 'resolve', dedup_key: 'failing_job_type/send_mail' });
  expect(received.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
});

test('Opsgenie gets an alert, and closes it by its alias', async () => {
  const opened = await tell(url('#format=opsgenie').replace('//', '//key@'));
  expect(opened.received).toEqual([
    {
      path: '/geheim',
      authorization: 'GenieKey key',
      body: {
        message: text,
        alias: 'failing_job_type/send_mail',
        description: `${text}\n${advice}\n${link}`,
        priority: 'P1',
        entity: 'send_mail',
        source: 'duework',
        tags: ['failing_job_type'],
        details: {
          type: 'send_mail',
          failed: '15',
          attempts: '20',
          share: '0.75',
          limit: '0.5',
          seconds: '900',
          error: 'smtp_<451>',
        },
      },
    },
  ]);
  const closed = await tell(url('#format=opsgenie').replace('//', '//key@'), [over]);
  expect(closed.received).toEqual([
    {
      path: '/geheim/failing_job_type%2Fsend_mail/close?identifierType=alias',
      authorization: 'GenieKey key',
      body: { source: 'duework', note: `It is over after 60 s. It was: ${text}` },
    },
  ]);
});
