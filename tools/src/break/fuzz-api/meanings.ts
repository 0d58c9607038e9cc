import fc from 'fast-check';
import type { MeaningOf } from './arbitrary-of.js';
import { hostileText } from './hostile-values.js';
import type { ApiDocument } from './read-operations.js';

const number = fc.constantFrom('0', '1', '3', '007', '-1', '99999999999999999999', 'x', '٣');
const span = fc.constantFrom(
  '2h',
  '1d',
  '30s',
  '0s',
  '999999999d',
  '2026-01-31T09:00:00Z',
  '0000-01-01T00:00:00Z',
  'soon',
);

/** Actions that find something among the jobs that are there. */
const ACTIONS = [
  { verb: 'retry', filter: 'status:dead key:receipt:dead-1' },
  { verb: 'cancel', filter: 'type:send_receipt status:queued' },
  { verb: 'change_priority', filter: 'type:send_receipt', priority: 1 },
  { verb: 'change_queue', filter: 'type:send_receipt', queue: 'mail' },
  { verb: 'reschedule', filter: 'type:send_receipt', runAt: '2030-01-01T00:00:00Z', spreadSeconds: 60 },
  { verb: 'edit_payload', filter: 'type:send_receipt status:queued', path: ['amountCents'], value: 5 },
  { verb: 'free_key', filter: 'status:dead key:receipt:dead-2' },
  { verb: 'delete', filter: 'status:cancelled' },
];

/** One term of a filter: most of them mean something, some nearly do. */
function term(types: readonly string[]): fc.Arbitrary<string> {
  const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
    status: fc.constantFrom('dead', 'queued', 'running', 'dead,failed', 'succeeded', 'cancelled', 'sleeping', ''),
    type: fc.constantFrom(...types, 'nope', 'send_*'),
    queue: fc.constantFrom('default', 'mail', '""'),
    error: fc.constantFrom('ECONNREFUSED', 'smtp_421', '"connect refused"', '*'),
    key: fc.constantFrom('receipt:fuzz-1', 'invoice:1', 'a"b'),
    schedule: fc.constantFrom('fuzz', 'cleanup'),
    worker: fc.constantFrom('fuzz', 'w1'),
    version: fc.tuple(fc.constantFrom('', '<', '>', '<=', '!='), number).map((parts) => parts.join('')),
    priority: fc.tuple(fc.constantFrom('', '<', '>='), number).map((parts) => parts.join('')),
    attempts: fc.tuple(fc.constantFrom('', '>', '<='), number).map((parts) => parts.join('')),
    id: number,
    since: span,
    until: span,
    'payload.orderId': number,
    'payload.a.b': fc.constantFrom('1', 'true', '"x"', 'null'),
    '': hostileText,
  };
  const known = fc
    .constantFrom(...Object.keys(values))
    .chain((name) => values[name]!.map((value) => (name === '' ? value : `${name}:${value}`)));
  return fc
    .tuple(
      fc.constantFrom('', '', '', '-'),
      fc.oneof({ arbitrary: known, weight: 6 }, fc.constantFrom('"open', '(', 'a:b:c', '::')),
    )
    .map((parts) => parts.join(''));
}

/**
 * What is worth trying for a name, wherever the document has it: in a query, in a path, in a body. `meaningOf` says nothing
 * about the other names, whose schemas say enough.
 */
export function meanings({ components: { schemas } }: ApiDocument): MeaningOf {
  const mapping = (schemas['NewJob'] as { discriminator: { mapping: object } }).discriminator.mapping;
  const types = Object.keys(mapping);
  const duration = fc.constantFrom('1s', '15m', '1h', '7d', '0s', '500ms', '999999999d', '1 h', '-1h');
  const known: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    type: fc.constantFrom(...types, ...types, 'nope'),
    queue: fc.constantFrom('default', 'mail'),
    '#/components/schemas/NewSchedule': fc.record({
      type: fc.constant('cleanup_nightly'),
      cron: fc.constantFrom('0 9 * * 1', '@daily', '*/5 * * * *'),
      payload: fc.constant({ day: { $due: 'date' } }),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin'),
    }),
    '#/components/schemas/NewPreview': fc.record({ cron: fc.constantFrom('0 9 * * 1', '@daily') }),
    '#/components/schemas/NewBulkAction': fc.constantFrom(...ACTIONS),
    '#/components/schemas/FlowChange': fc.constantFrom({ max: 3 }, { max: null }, { max: 0 }, { per: '1m' }),
    '#/components/schemas/AlertSilenceRequest': fc.constant({ key: '*', for: '1h' }),
    '#/components/schemas/UpdateJob': fc.constantFrom({ priority: 3 }, { delaySeconds: 60 }, { maxAttempts: 12 }),
    '#/components/schemas/NewApiKey': fc.record({
      name: fc.constantFrom('made-1', 'made-2', 'made-3'),
      scopes: fc.constantFrom(['read'], ['read', 'operate'], ['enqueue']),
      expiresIn: fc.constantFrom('1d', '90d'),
    }),
    '#/components/schemas/NewOrder': fc.constant({
      customer: { name: 'Ada', email: 'ada@example.com' },
      currency: 'EUR',
      items: [{ description: 'One thing', quantity: 1, unitCents: 100 }],
    }),
    filter: fc.oneof(
      { arbitrary: fc.array(term(types), { maxLength: 4 }).map((terms) => terms.join(' ')), weight: 4 },
      { arbitrary: fc.constantFrom('status:dead', 'type:send_receipt', 'status:queued type:send_receipt'), weight: 3 },
    ),
    cron: fc.constantFrom('0 9 * * 1', '@daily', '*/5 * * * *', '0 0 30 2 *', '0 0 * * FRI#L', '60 * * * *', ''),
    every: duration,
    for: duration,
    splay: duration,
    tolerance: duration,
    maxAge: duration,
    since: span,
    until: span,
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'europe/berlin', 'Mars/Base', ''),
    path: fc.constantFrom(['orderId'], ['email'], ['a', 'b'], ['__proto__', 'x'], ['']),
    // every wait is a second of the test
    wait: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
    file: fc.constantFrom('start.js', 'swagger-ui.css', 'swagger-ui-bundle.js', 'none.js'),
    idempotencyKey: fc.constantFrom('fuzz-1', 'fuzz-2', null),
    'Idempotency-Key': fc.constantFrom('fuzz-a', 'fuzz-b', 'fuzz-c'),
    'Last-Event-ID': fc.constantFrom('1-end', 'x', '0'),
  };
  return (name) => (Object.hasOwn(known, name) ? known[name] : undefined);
}
