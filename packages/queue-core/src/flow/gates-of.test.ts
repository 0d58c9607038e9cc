import { defineJob } from '@duework/contracts';
import { useTestDatabase } from '@duework/testing/fixtures';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { registerDefinitions } from '../sql/registry/register-definitions.js';
import { gatesOf } from './gates-of.js';

const payload = z.object({ of: z.object({ value: z.json().optional() }), pages: z.number().optional() });
const gated = defineJob({
  type: 'gated',
  payload,
  limits: [
    { name: 'all', max: 5 },
    { name: 'each', max: 10, by: 'of.value' },
  ],
  tenant: { by: 'of.value', weight: 2 },
});
const costly = defineJob({ type: 'costly', payload, limits: [{ max: 5, cost: 'pages' }] });
const coded = defineJob({ type: 'coded', payload, order: { name: 'code', by: ({ of }) => of.value as string } });
const long = 'ä'.repeat(200);

describe('the gates of a run', () => {
  test('are none for a contract without rules', () => {
    expect(gatesOf(defineJob({ type: 'plain', payload }), {})).toBeNull();
  });

  test('are a key for each rule, and units where they are not all one', () => {
    expect(gatesOf(gated, { of: { value: 'a' } })).toEqual({
      gates: ['tenant/default/a', 'limit/all', 'limit/each/a'],
      units: [2, 1, 1],
    });
    expect(gatesOf(costly, { pages: 1 })).toEqual({ gates: ['limit/costly'] });
    expect(gatesOf(costly, { pages: 7 })).toEqual({ gates: ['limit/costly'], units: [7] });
    expect(gatesOf(coded, { of: { value: 'x' } })).toEqual({ gates: ['order/code/x'] });
  });

  test.each([[{}], [[]], [{ a: 1 }]])('are refused for a value that tells nothing apart: %j', (value) => {
    for (const contract of [gated, coded])
      expect(() => gatesOf(contract, { of: { value } })).toThrow(
        expect.objectContaining({ code: 'invalid_flow_value' }),
      );
  });

  test.each([[0], [1.5], [-1], [1e9], [undefined], ['2']])('are refused for units of %p', (pages) => {
    expect(() => gatesOf(costly, { pages })).toThrow(expect.objectContaining({ code: 'invalid_flow_value' }));
  });

  test('are refused for a text of code that PostgreSQL cannot store', () => {
    expect(() => gatesOf(coded, { of: { value: 'a\u0000' } })).toThrow(
      expect.objectContaining({ code: 'invalid_flow_value' }),
    );
  });
});

describe('SQL makes the same gates', () => {
  const database = useTestDatabase();
  beforeAll(() => registerDefinitions(database.db, [gated, costly, coded]));

  const inSql = async (type: string, json: string): Promise<unknown> => {
    const [row] = await database.db.$queryRaw<{ gates: unknown }[]>`
      SELECT duework.gates_of(type, flow, ${json}::text::jsonb) AS gates FROM duework.job_definitions WHERE type = ${type}`;
    return row!.gates;
  };

  test.each(
    [
      ...[
        '',
        'a',
        'a/b',
        ' a ',
        'ß',
        '😀',
        '"',
        "'",
        '\\',
        'null',
        '{}',
        long,
        `${long}x`,
        '😀'.repeat(200),
        '😀'.repeat(201),
      ],
      ...[0, -0, 1, -1, 1.5, 0.1, 100, 1e15, 1e20, 1e21, 1.5e21, 123456789012345680000, 1e-6, 1e-7, 1.25e-9, -2.5e-8],
      ...[5e-324, 1.7976931348623157e308, 9007199254740991, 0.30000000000000004, -1e22, 1e199, 1e200],
      ...[true, false, null, undefined],
    ].map((value) => [value]),
  )('of %p', async (value) => {
    const given = { of: { value }, pages: 3 };
    for (const contract of [gated, costly])
      expect(await inSql(contract.type, JSON.stringify(given))).toEqual(gatesOf(contract, given));
  });

  test.each(['{}', '{"of": null}', '{"of": []}', '{"of": "text"}', '{"of": [{"value": 1}]}', '[]', '7', 'null'])(
    'of a payload without the path: %s',
    async (json) => {
      expect(await inSql('gated', json)).toEqual(gatesOf(gated, JSON.parse(json)));
    },
  );

  test('of numbers that only SQL can write otherwise', async () => {
    for (const json of ['1.0', '1.50', '-0', '-0.0', '1E3', '0.10e1'])
      expect(await inSql('gated', `{"of": {"value": ${json}}}`)).toEqual(
        gatesOf(gated, { of: { value: JSON.parse(json) } }),
      );
  });

  test.each(['{"of": {"value": {}}}', '{"of": {"value": [1]}}'])(
    'and refuses what tells nothing apart: %s',
    async (json) => {
      await expect(inSql('gated', json)).rejects.toThrow(/22W09/);
    },
  );

  test.each(['{}', '{"pages": 0}', '{"pages": 1.5}', '{"pages": "2"}', '{"pages": 1e9}', '{"pages": null}'])(
    'and refuses what is no number of units: %s',
    async (json) => {
      await expect(inSql('costly', json)).rejects.toThrow(/22W09/);
    },
  );
});
