import type { StartDatabase } from './prepare-database.js';
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
export function describeAddresses(ports: StartSettings['ports'], database: StartDatabase): string {
  const api = `http://127.0.0.1:${ports.API_PORT}`;
  const psql = database.isEmbedded ? `'${database.url}'` : '"$DATABASE_URL"';
  return `
Duework is ready.

  Console   ${api}/console
  API       ${api}
  Mails     http://127.0.0.1:${ports.MAILBOX_PORT}
  Metrics   http://127.0.0.1:${ports.WORKER_PORT}/metrics
  Logs      .duework/logs

Order 1 is waiting to be paid. Pay it, and its invoice arrives in the mails:

  curl -s -X POST ${api}/v1/orders/1/pay

Or order something yourself, and pay it by the id in the answer:

  curl -s -X POST ${api}/v1/orders -H 'content-type: application/json' -d '{"customer":{"name":"Ada","email":"ada@example.com"},"currency":"EUR","items":[{"description":"Espresso machine","quantity":1,"unitCents":24900}]}'

Look into the tables:

  psql ${psql} -c 'SELECT id, job_type, status, attempts FROM duework.jobs ORDER BY id DESC LIMIT 10'

Ctrl-C stops everything.
`;
}
