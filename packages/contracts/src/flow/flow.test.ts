import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineCatalog } from '../define-catalog.js';
import { defineJob } from '../define-job.js';

const payload = z.object({
  accountId: z.int(),
  customer: z.object({ id: z.string(), vip: z.boolean().optional() }).nullable(),
  pages: z.int(),
  iban: z.string(),
  tags: z.array(z.string()),
  notes: z.record(z.string(), z.string()),
  paidBy: z.union([
    z.object({ kind: z.literal('card'), network: z.enum(['visa', 'amex']) }),
    z.object({ kind: z.literal('cash') }),
  ]),
});
const type = 'send_mail';

describe('the flow rules of a contract', () => {
  test('are none where it declares none', () => {
    expect(defineJob({ type, payload })).toMatchObject({ flow: null, maxWaitMs: null });
    expect(defineJob({ type, payload, limits: [] }).flow).toBeNull();
  });

  test('are told by names, and stand in the order in which a run asks them', () => {
    const contract = defineJob({
      type,
      payload,
      rate: [
        { max: 100, per: '1m' },
        { name: 'provider', max: 5, per: '1s', burst: 5, by: 'customer.id', cost: 2 },
      ],
      limits: [
        { name: 'smtp', max: 5 },
        { by: 'accountId', max: 1 },
        { max: 20, cost: 'pages' },
      ],
      breaker: { share: 0.5, of: 20, pause: '30s' },
      order: 'accountId',
      tenant: { by: 'customer.id', weight: 3 },
      maxWait: '10m',
    });
    expect(contract.maxWaitMs).toBe(600_000);
    expect(contract.flow).toEqual([
      {
        name: 'order/send_mail.accountId',
        kind: 'order',
        declared: { onFailure: 'wait', onDead: 'let_go' },
        by: ['accountId'],
        units: 1,
      },
      { name: 'tenant/default', kind: 'tenant', declared: {}, by: ['customer', 'id'], units: 3 },
      {
        name: 'breaker/send_mail',
        kind: 'breaker',
        declared: { share: 0.5, of: 20, pauseMs: 30_000 },
        by: null,
        units: 1,
      },
      { name: 'limit/smtp', kind: 'limit', declared: { max: 5 }, by: null, units: 1 },
      { name: 'limit/send_mail.accountId', kind: 'limit', declared: { max: 1 }, by: ['accountId'], units: 1 },
      { name: 'limit/send_mail', kind: 'limit', declared: { max: 20 }, by: null, units: ['pages'] },
      { name: 'rate/send_mail', kind: 'rate', declared: { max: 100, perMs: 60_000, burst: 10 }, by: null, units: 1 },
      {
        name: 'rate/provider',
        kind: 'rate',
        declared: { max: 5, perMs: 1_000, burst: 5 },
        by: ['customer', 'id'],
        units: 2,
      },
    ]);
  });

  test('may be by a function, for which a name is wished', () => {
    const by = ({ accountId }: { accountId: number }): string => `a${accountId % 10}`;
    expect(defineJob({ type, payload, limits: [{ by, max: 1 }] }).flow).toMatchObject([
      { name: 'limit/send_mail.by', by },
    ]);
    expect(defineJob({ type, payload, order: by }).flow).toMatchObject([{ name: 'order/send_mail.by', by }]);
    expect(defineJob({ type, payload, order: { by, name: 'accounts' } }).flow).toMatchObject([
      { name: 'order/accounts' },
    ]);
  });

  test.each<[string, object, string, RegExp]>([
    ['a limit of none', { limits: [{ max: 0 }] }, 'invalid_job_option', /limits\.max must be a whole number from 1/],
    ['half a limit', { limits: [{ max: 1.5 }] }, 'invalid_job_option', /limits\.max/],
    ['a limit without max', { limits: [{}] }, 'invalid_job_option', /limits\.max/],
    ['limits that are no list', { limits: { max: 5 } }, 'invalid_job_option', /limits must be a list such as/],
    ['a limit that is none', { limits: [5] }, 'invalid_job_option', /limits must be a list such as/],
    ['a cost of none', { limits: [{ max: 5, cost: 0 }] }, 'invalid_job_option', /limits\.cost/],
    ['a cost that never fits', { limits: [{ max: 5, cost: 6 }] }, 'invalid_job_option', /at most its max, 5/],
    ['a name with a slash', { limits: [{ max: 5, name: 'a/b' }] }, 'invalid_job_option', /limits\.name/],
    ['an empty name', { limits: [{ max: 5, name: '' }] }, 'invalid_job_option', /limits\.name/],
    ['two rules of one name', { limits: [{ max: 5 }, { max: 6 }] }, 'invalid_job_option', /give name to one of them/],
    ['a rate without a time', { rate: { max: 5 } }, 'invalid_duration', /duration/],
    ['a rate within no time', { rate: { max: 5, per: '0ms' } }, 'invalid_job_option', /rate\.per/],
    ['a burst above max', { rate: { max: 5, per: '1s', burst: 6 } }, 'invalid_job_option', /rate\.burst/],
    [
      'a cost above the burst',
      { rate: { max: 9, per: '1s', burst: 2, cost: 3 } },
      'invalid_job_option',
      /at most its burst, 2/,
    ],
    ['a breaker above all', { breaker: { share: 1.1, of: 20, pause: '1s' } }, 'invalid_job_option', /breaker\.share/],
    ['a breaker of one', { breaker: { share: 0.5, of: 1, pause: '1s' } }, 'invalid_job_option', /breaker\.of/],
    ['an unknown choice', { order: { by: 'accountId', onDead: 'skip' } }, 'invalid_job_option', /order\.onDead/],
    ['an order by nothing', { order: { onDead: 'block' } }, 'invalid_job_option', /order must be the path/],
    ['no tenant', { tenant: null }, 'invalid_job_option', /tenant must be a rule/],
    ['hardly any wait', { maxWait: '1ms' }, 'invalid_job_option', /maxWait must be at least/],
    [
      'a misspelt path',
      { order: 'acountId' },
      'flow_path_unknown',
      /"acountId" must lead to .* there is accountId, customer/,
    ],
    ['a path below a number', { order: 'accountId.x' }, 'flow_path_unknown', /there is nothing below it/],
    ['an object', { order: 'customer' }, 'flow_path_unknown', /there is null, object/],
    ['a list', { order: 'tags' }, 'flow_path_unknown', /there is array/],
    ['an element of a list', { order: 'tags.0' }, 'flow_path_unknown', /a path is names/],
    ['a pointer', { order: '/accountId' }, 'flow_path_unknown', /there is accountId/],
    ['an empty path', { order: '' }, 'flow_path_unknown', /a path is names/],
    [
      'a cost that is a text',
      { limits: [{ max: 5, cost: 'iban' }] },
      'flow_path_unknown',
      /to a number in its payload: there is string/,
    ],
    ['a sensitive value', { order: 'iban', sensitive: ['/iban'] }, 'flow_path_sensitive', /plain text/],
  ])('are refused for %s', (_, options, code, message) => {
    expect(() => defineJob({ type, payload, ...options } as never)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test('know the keys of records and the branches of unions', () => {
    expect(defineJob({ type, payload, order: 'notes.gate', tenant: 'paidBy.network' }).flow).toMatchObject([
      { by: ['notes', 'gate'] },
      { by: ['paidBy', 'network'] },
    ]);
  });

  test('are checked by the compiler, too', () => {
    // @ts-expect-error -- the payload has no such path
    expect(() => defineJob({ type, payload, order: 'acountId' })).toThrow(/acountId/);
    // @ts-expect-error -- a list tells nothing apart
    expect(() => defineJob({ type, payload, limits: [{ max: 1, by: 'tags' }] })).toThrow(/tags/);
    expect(defineJob({ type, payload, limits: [{ max: 1, by: (given) => given.customer?.id }] }).flow).toHaveLength(1);
  });

  test('are shared by contracts that give one name, and refused where these declare them differently', () => {
    const one = defineJob({ type: 'one', payload, limits: [{ name: 'smtp', max: 5 }] });
    const two = defineJob({ type: 'two', payload, limits: [{ name: 'smtp', max: 5, by: 'accountId' }] });
    const other = defineJob({ type: 'other', payload, limits: [{ name: 'smtp', max: 6 }] });
    expect(defineCatalog([one, two])).toHaveLength(2);
    expect(() => defineCatalog([one, two, other])).toThrow(
      expect.objectContaining({ code: 'flow_rules_differ', message: expect.stringContaining('limit/smtp') }),
    );
  });
});
