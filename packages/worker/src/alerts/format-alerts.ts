import type { AlertBody } from './alert-body.js';
import type { AlertFormat } from './alert-target.js';

/** What is posted, and of which alerts it tells. */
export interface AlertPost {
  readonly bodies: readonly AlertBody[];
  /** Behind the address. */
  readonly path?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body: object;
}

/** Chats get one message for all that one look has found; pagers one for each alert, by its key. `secret`: the user of the address. */
type Format = (bodies: readonly AlertBody[], secret: string) => readonly AlertPost[];

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
const each =
  (toPost: (body: AlertBody, secret: string) => Omit<AlertPost, 'bodies'>): Format =>
  (bodies, secret) =>
    bodies.map((body) => ({ bodies: [body], ...toPost(body, secret) }));
const inParts =
  (most: number, toBody: (bodies: readonly AlertBody[]) => object): Format =>
  (bodies) =>
    Array.from({ length: Math.ceil(bodies.length / most) }, (_, part) =>
      bodies.slice(part * most, (part + 1) * most),
    ).map((some) => ({ bodies: some, body: toBody(some) }));

const isOver = ({ status }: AlertBody): boolean => status === 'resolved';
const titleOf = (body: AlertBody): string =>
  isOver(body) ? `Over: ${body.key}` : `${body.status === 'lasts' ? 'Still ' : ''}${body.severity}: ${body.key}`;
const COLORS = { critical: 0xd9_2d_20, warning: 0xf7_90_09, info: 0x2e_90_fa, over: 0x12_b7_6a } as const;
const PRIORITIES = { critical: 'P1', warning: 'P3', info: 'P5' } as const;

const toSlack = (bodies: readonly AlertBody[]): object => {
  const escape = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return {
    text: escape(bodies.map(titleOf).join('\n')),
    blocks: bodies.map((body) => ({
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: cut(
          `*${escape(titleOf(body))}*\n${escape(body.text)}${isOver(body) ? '' : `\n${escape(body.advice)}`}` +
            (body.url === null ? '' : `\n<${escape(body.url)}|Show it>`),
          3_000,
        ),
      },
    })),
  };
};

const toTeams = (bodies: readonly AlertBody[]): object => ({
  type: 'message',
  attachments: bodies.map((body) => ({
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        {
          type: 'TextBlock',
          weight: 'Bolder',
          wrap: true,
          color: isOver(body) ? 'Good' : body.severity === 'critical' ? 'Attention' : 'Warning',
          text: titleOf(body),
        },
        { type: 'TextBlock', wrap: true, text: body.text },
        ...(isOver(body) ? [] : [{ type: 'TextBlock', wrap: true, isSubtle: true, text: body.advice }]),
      ],
      ...(body.url === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Show it', url: body.url }] }),
    },
  })),
});

const toDiscord = (bodies: readonly AlertBody[]): object => ({
  allowed_mentions: { parse: [] },
  embeds: bodies.map((body) => ({
    title: cut(titleOf(body), 256),
    // 6,000 characters are allowed in all embeds of a message
    description: cut(isOver(body) ? body.text : `${body.text}\n${body.advice}`, 900),
    color: COLORS[isOver(body) ? 'over' : body.severity],
    timestamp: body.at,
    ...(body.url === null ? {} : { url: body.url }),
  })),
});

const toPagerduty = (body: AlertBody, secret: string): Omit<AlertPost, 'bodies'> => ({
  headers: {},
  body: {
    routing_key: secret,
    event_action: isOver(body) ? 'resolve' : 'trigger',
    dedup_key: cut(body.key, 255),
    payload: {
      summary: cut(body.text, 1_024),
      source: body.worker,
      severity: body.severity,
      timestamp: body.raisedAt,
      component: 'duework',
      class: body.name,
      custom_details: { ...body.facts, advice: body.advice },
    },
    links: body.url === null ? [] : [{ href: body.url, text: 'Show it' }],
  },
});

const toOpsgenie = (body: AlertBody, secret: string): Omit<AlertPost, 'bodies'> => {
  const alias = cut(body.key, 512);
  const headers = { Authorization: `GenieKey ${secret}` };
  if (isOver(body))
    return {
      path: `/${encodeURIComponent(alias)}/close?identifierType=alias`,
      headers,
      body: { source: 'duework', note: body.text },
    };
  return {
    headers,
    body: {
      message: cut(body.text, 130),
      alias,
      description: `${body.text}\n${body.advice}\n${body.url ?? ''}`,
      priority: PRIORITIES[body.severity],
      entity: body.subject,
      source: 'duework',
      tags: [body.name],
      details: Object.fromEntries(Object.entries(body.facts).map(([fact, value]) => [fact, String(value)])),
    },
  };
};

/** What each service documents; none gets more alerts in a message than it shows. */
export const FORMATS: { readonly [format in AlertFormat]: Format } = {
  json: each((body) => ({ body })),
  slack: inParts(50, toSlack),
  teams: inParts(10, toTeams),
  discord: inParts(5, toDiscord),
  pagerduty: each(toPagerduty),
  opsgenie: each(toOpsgenie),
};
