import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineJob } from './define-job.js';
import { readPayload } from './read-payload.js';

const v1 = z.object({ to: z.string(), copies: z.int().default(1) });
const v2 = z.object({ recipients: z.array(z.string()).max(3) });
const v3 = z.object({ recipients: z.array(z.string()), urgent: z.boolean().default(false) });
const mail = defineJob({
  type: 'mail',
  version: 3,
  payload: v3,
  past: {
    1: { payload: v1, lift: ({ to, copies }) => ({ recipients: Array<string>(copies).fill(to) }) },
    2: { payload: v2, lift: ({ recipients }) => ({ recipients, urgent: recipients.length > 1 }) },
  },
});

describe('a stored payload', () => {
  test.each<[number, unknown, unknown]>([
    [3, { recipients: ['ada'] }, { recipients: ['ada'], urgent: false }],
    [2, { recipients: ['ada', 'bob'] }, { recipients: ['ada', 'bob'], urgent: true }],
    [1, { to: 'ada', copies: 2 }, { recipients: ['ada', 'ada'], urgent: true }],
    [1, { to: 'ada' }, { recipients: ['ada'], urgent: false }],
  ])('of version %s is read by its own schema and lifted step by step to today’s', (version, stored, data) => {
    expect(readPayload(mail, version, stored)).toEqual({ success: true, data });
  });

  test.each<[string, number, unknown, RegExp]>([
    ['today’s schema', 3, { recipients: 'ada' }, /^\/recipients /],
    ['the schema of its version', 1, { recipients: ['secret'] }, /^version 1: \/to /],
    ['the schema after a step', 1, { to: 'secret', copies: 4 }, /^version 1, lifted from 1 to 2: \/recipients /],
  ])('that %s refuses is not read, and the reason names the version and the step', (_, version, stored, why) => {
    const reading = readPayload(mail, version, stored);
    expect(reading).toEqual({ success: false, why: expect.stringMatching(why) });
    expect(JSON.stringify(reading)).not.toContain('secret');
  });

  test.each([0, 4, 1.5])('of version %s, which the contract does not know, is not read', (version) => {
    expect(readPayload(mail, version, { recipients: [] })).toEqual({
      success: false,
      why: `version ${version} is not one of 1 to 3, which are known here`,
    });
  });

  test.each<[string, () => never, string]>([
    [
      'an error',
      () => {
        throw new RangeError('secret');
      },
      'RangeError',
    ],
    [
      'anything else',
      () => {
        throw 'secret';
      },
      'something that is not an error',
    ],
  ])('whose step throws %s is not read, and the reason does not name the value', (_, lift, name) => {
    const broken = defineJob({ type: 'mail', version: 2, payload: v2, past: { 1: { payload: v1, lift } } });
    expect(readPayload(broken, 1, { to: 'secret' })).toEqual({
      success: false,
      why: `version 1, lifted from 1 to 2: the step threw ${name}`,
    });
  });
});
