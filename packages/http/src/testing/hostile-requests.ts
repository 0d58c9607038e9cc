/** Requests that no client would send by mistake, for property tests. */
import fc from 'fast-check';

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '\0',
    '😀',
    '__proto__',
    'constructor',
    'toString',
    '$due',
    "' OR 1=1; --",
    '%',
    '%_',
    '[]',
    'x'.repeat(3_000),
    '../..',
    '1e3',
    '٣',
    'null',
    'NaN',
  ),
);
const id = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1',
    '2',
    '007',
    '1.5',
    '1e3',
    '0x10',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999',
    '٣',
    '%00',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '..',
    '*',
    'batch',
    "1'--",
    '1%20',
    '１',
  ),
  text.map(encode),
);
const cursor = fc.oneof(
  text.map(encode),
  fc.constantFrom(
    ...['1', '0', '99999999999999999999', '-1', '9223372036854775807'].map((after) =>
      Buffer.from(JSON.stringify({ after })).toString('base64url'),
    ),
  ),
  fc.constantFrom(
    '9999-99-99T99:99:99.999999Z_1',
    '2026-02-30T00:00:00.000000Z_1',
    'eyJhZnRlciI6IjEifQ==',
    Buffer.from('{"after":"1"').toString('base64url'),
  ),
);
const moment = fc.oneof(
  fc.constantFrom(
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '1969-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-01-01',
    'now',
    '2026-01-01T00:00:00Z',
  ),
  text,
);
const parameter = fc.oneof(
  fc.tuple(fc.constantFrom('cursor'), cursor),
  fc.tuple(fc.constantFrom('from', 'to'), moment.map(encode)),
  fc.tuple(
    fc.constantFrom(
      'status',
      'type',
      'limit',
      'schedule',
      'source',
      'paused',
      'outcome',
      'count',
      'status[]',
      'status[$ne]',
      '__proto__',
      'length',
    ),
    fc.oneof(
      text.map(encode),
      fc.constantFrom('dead', 'send_invoice', '1', '200', '0', '-1', '1e2', '201', 'true', '%00'),
    ),
  ),
  fc.tuple(text.map(encode), text.map(encode)),
);
const query = fc
  .array(parameter, { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`));
const path = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      '/v1/jobs',
      '/v1/jobs/batch',
      '/v1/schedules',
      '/v1/due-times',
      '/v1/schedule-previews',
      '/v1/wake',
      '/',
      '/openapi.json',
      '/livez',
      '/v1',
      '//',
      '/v1/jobs/',
    ),
    weight: 3,
  },
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom('/v1/jobs/', '/v1/schedules/'),
        id,
        fc.constantFrom('', '/retry', '/cancel', '/pause', '/resume', '/trigger', '/preview', '/x'),
      )
      .map((parts) => parts.join('')),
    weight: 4,
  },
  text.map((name) => `/${encode(name)}`),
);

const leaf = fc.oneof(
  text,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(
    null,
    -0,
    2 ** 53,
    1e308,
    '2030-01-01T00:00:00Z',
    '1h',
    '0 0 30 2 *',
    '0 0 * * FRI#L',
    'Europe/Berlin',
    'europe/berlin',
  ),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
const sometimes = { requiredKeys: [] };
const job = fc.oneof(
  fc.record({
    type: fc.constantFrom('send_invoice', 'deliver_webhook', 'nope', '__proto__'),
    payload: fc.oneof(
      json,
      fc.record({ orderId: fc.oneof(fc.integer({ min: 1 }), json) }),
      fc.record({
        eventId: text,
        event: text,
        url: fc.constantFrom('https://example.com/', 'http://\0', 'javascript:0'),
        body: fc.dictionary(text, json),
      }),
    ),
  }),
  fc.record(
    {
      type: fc.constant('send_invoice'),
      payload: fc.record({ orderId: fc.integer({ min: 1 }) }),
      runAt: fc.oneof(moment, json),
      delaySeconds: json,
      priority: json,
      idempotencyKey: fc.oneof(text, json),
      maxAttempts: json,
      x: json,
    },
    { requiredKeys: ['type', 'payload'] },
  ),
);
const schedule = fc.record(
  {
    type: fc.constantFrom('send_invoice', 'cleanup_nightly'),
    payload: fc.oneof(
      json,
      fc.record({ day: fc.constant({ $due: 'date' }) }),
      fc.constant({ day: { $due: 'date' }, x: '\0' }),
    ),
    cron: leaf,
    every: leaf,
    at: moment,
    timeZone: leaf,
    startsAt: moment,
    endsAt: moment,
    missed: json,
    overlap: json,
    splay: json,
    count: json,
    after: moment,
  },
  sometimes,
);
const value = fc.oneof(
  json,
  job,
  schedule,
  fc.record({ jobs: fc.array(job, { maxLength: 4 }) }),
  fc.record({ reason: json }, sometimes),
  fc.record({ customer: json, currency: fc.constant('EUR'), items: json }, sometimes),
);
const body = fc.oneof(
  { arbitrary: value.map((given) => JSON.stringify(given)), weight: 6 },
  {
    arbitrary: value
      .map((given) => JSON.stringify(given))
      .chain((given) => fc.nat({ max: given.length }).map((end) => given.slice(0, end))),
    weight: 1,
  },
  { arbitrary: value.map((given) => new Uint8Array(Buffer.from(JSON.stringify(given), 'utf16le'))), weight: 1 },
  { arbitrary: fc.uint8Array({ maxLength: 100 }), weight: 1 },
  {
    arbitrary: fc.constantFrom(
      '[1e400]',
      '{"type":"send_invoice","payload":{"orderId":1e400}}',
      '{"a":1,"a":2}',
      '\ufeff{}',
      '\\',
      '{"type":"send_invoice","payload":{"orderId":9007199254740993}}',
      '['.repeat(20_000),
    ),
    weight: 1,
  },
);
const header = fc.oneof(
  fc.tuple(
    fc.constantFrom('content-type'),
    fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'application/json;;;',
      'multipart/form-data',
      ';',
      'application/json; charset="utf-8"',
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      'x-request-id',
      'traceparent',
      'tracestate',
      'idempotency-key',
      'accept',
      'accept-encoding',
      'x-forwarded-for',
      'origin',
      'range',
      'if-none-match',
      'cookie',
    ),
    fc.oneof(
      fc.string({ maxLength: 50 }).map((given) => given.replaceAll(/[^\x20-\x7e]/g, '')),
      fc.constantFrom('00-0-0-0', `00-${'0'.repeat(32)}-${'f'.repeat(16)}-ff`, 'é', 'a'.repeat(4_000)),
    ),
  ),
  fc.tuple(fc.constantFrom('content-encoding'), fc.constantFrom('gzip', 'br', 'identity, identity')),
);

export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.record({
  method: fc.oneof(
    { arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), weight: 6 },
    fc.constantFrom('PATCH', 'OPTIONS', 'HEAD'),
  ),
  path: fc.tuple(path, query).map((parts) => parts.join('')),
  headers: fc
    .array(header, { maxLength: 3 })
    .map((pairs) => ({ 'content-type': 'application/json', ...Object.fromEntries(pairs) })),
  body: fc.option(body),
});

/** Encodes a text as a part of an address; half a surrogate pair cannot be encoded. */
function encode(given: string): string {
  return encodeURIComponent(given.toWellFormed());
}
