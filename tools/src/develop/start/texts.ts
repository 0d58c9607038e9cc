import { join } from 'node:path';
import { below, stateDir } from '../../../bootstrap/paths.mjs';
import type { StartDatabase } from './prepare-database.js';
import type { StartRedis } from './redis.js';
import { services, type StartSettings, variables } from './settings.js';

/** The description of a start, for --help. */
export const summary = `Installs, builds, starts a PostgreSQL, migrates it and runs the ${services.map(({ name }) => name).join(', the ')}. Ctrl-C stops everything in order; a second one stops it at once.`;

/** The variables that a start reads, for --help. */
export const describeVariables = (): string =>
  [
    'Variables, with their defaults:',
    ...variables.map(([name, value, text]) => `  ${name.padEnd(14)} ${(value || '-').padEnd(28)} ${text}`),
  ].join('\n');

/** The addresses to open and the commands to type, once everything answers. */
export function describeAddresses(
  { ports, isWithoutKeys, env }: StartSettings,
  databases: readonly StartDatabase[],
  redis: StartRedis | null = null,
): string {
  const [database, ...others] = databases as readonly [StartDatabase, ...StartDatabase[]];
  const api = `http://127.0.0.1:${ports.API_PORT}`;
  const psql = database.isEmbedded ? `'${database.url}'` : '"$DATABASE_URL"';
  const key = isWithoutKeys ? 'Look here first: you are signed in.' : 'npx duework keys create makes a key for it.';
  const addresses = [
    ['Console', `${api}/console`, key],
    ...(redis === null
      ? []
      : [['Redis', `${api}/queue-redis/console`, 'The console of the dedicated queue, in which receipts run.']]),
    ...(env['SHOP_TROUBLE'] === 'on'
      ? [
          [
            'Shop',
            `${api}/shop`,
            env['SHOP_ORDERS'] === 'on'
              ? 'Orders come in. Its buttons stop them, or make trouble.'
              : 'Its buttons make work, and trouble.',
          ],
        ]
      : []),
    ['Mails', `http://127.0.0.1:${ports.MAILBOX_PORT}`, 'What the worker has mailed.'],
    ['API', `${api}/docs`, ''],
    ['Metrics', `http://127.0.0.1:${ports.WORKER_PORT}/metrics`, ''],
    ...others.map(({ url }, index) => [
      `Shard ${String.fromCharCode('b'.charCodeAt(0) + index)}`,
      new URL(url).host,
      'Stop it, and see what goes on: pg_ctl, or kill the pid in its postmaster.pid.',
    ]),
    ['Logs', below(join(stateDir, 'logs')), 'Warnings and errors are shown here, too.'],
  ];
  const width = Math.max(32, ...addresses.map(([, address = '']) => address.length));
  return `
Duework is ready.

${addresses.map(([name = '', address = '', words = '']) => `  ${name.padEnd(9)} ${address.padEnd(width)} ${words}`.trimEnd()).join('\n')}

Order 1 is waiting to be paid. Pay it, and its invoice arrives in the mails:

  curl -s -X POST ${api}/v1/orders/1/pay

Or order something yourself, and pay it by the id in the answer:

  curl -s -X POST ${api}/v1/orders -H 'content-type: application/json' -d '{"customer":{"name":"Ada","email":"ada@example.com"},"currency":"EUR","items":[{"description":"Espresso machine","quantity":1,"unitCents":24900}]}'

Use the command:

  ${database.isEmbedded ? '' : 'DUEWORK_API_URL=' + api + ' '}npm run duework -- status

Look into the tables:

  psql ${psql} -c 'SELECT id, job_type, status, attempts FROM duework.jobs ORDER BY id DESC LIMIT 10'

Ctrl-C stops everything.
`;
}
