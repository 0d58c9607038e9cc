import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineCatalog } from './define-catalog.js';
import { defineJob } from './define-job.js';
import type { JobContract } from './job-contract.js';
import { parseDuration } from './duration.js';
import { delays, exponential, fixed } from './retry-policy.js';

const payload = z.object({ id: z.int() });
const step = { payload, lift: (given: { id: number }) => given };

describe('a contract', () => {
  test('has a default for everything but its type and payload', () => {
    expect(defineJob({ type: 'plain', payload })).toMatchObject({
      type: 'plain',
      version: 1,
      queue: 'default',
      queues: ['default'],
      labels: [],
      priority: 5,
      maxAttempts: 10,
      maxSnoozes: 1_000,
      defaultPayload: undefined,
      timeoutMs: 900_000,
      leaseMs: 30_000,
      retry: { kind: 'exponential', baseMs: 10_000, factor: 2 },
      keyOf: null,
      idempotencyWindowMs: null,
    });
  });

  test('converts to JSON Schema', () => {
    expect(defineJob({ type: 'plain', payload }).payloadJsonSchema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
    });
  });

  test('has the versions of its past, each as JSON Schema, from the oldest one that can be read', () => {
    const contract = defineJob({ type: 'plain', version: 4, payload, past: { 2: step, 3: step } });
    expect(contract).toMatchObject({ version: 4, oldestVersion: 2 });
    expect([...contract.past.keys()]).toEqual([2, 3]);
    expect(contract.past.get(2)!.payloadJsonSchema).toMatchObject({ required: ['id'] });
    expect(defineJob({ type: 'plain', version: 4, payload, past: {} })).toMatchObject({ oldestVersion: 4 });
  });

  test('cannot be changed after it was defined', () => {
    const contract = defineJob({ type: 'plain', payload });
    expect(() => Object.assign(contract, { maxAttempts: 99 })).toThrow(TypeError);
  });

  test('has its own queue first among those that an enqueue may name', () => {
    const queuesOf = (options: object): object => defineJob({ type: 'plain', payload, ...options });
    expect(queuesOf({ queues: ['fast', 'bulk', 'bulk'] })).toMatchObject({ queue: 'fast', queues: ['fast', 'bulk'] });
    expect(queuesOf({ queue: 'bulk', queues: ['fast', 'bulk'] })).toMatchObject({ queue: 'bulk' });
    expect(queuesOf({ queue: 'mail' })).toMatchObject({ queue: 'mail', queues: ['mail'] });
  });

  test('takes its idempotency key from the business event', () => {
    const contract = defineJob({ type: 'plain', payload, idempotencyKey: ({ id }) => `plain:${id}` });
    expect(contract.keyOf?.({ id: 812 })).toBe('plain:812');
  });
});

describe('a contract that cannot be kept is refused when it is defined', () => {
  test.each<[string, z.ZodType]>([
    ['a Date', z.object({ at: z.date() })],
    ['a transform', z.string().transform(Number)],
    ['a bigint', z.bigint()],
    ['a Map', z.map(z.string(), z.string())],
    ['undefined', z.object({ a: z.undefined() })],
    ['a custom check of a class', z.instanceof(Date)],
    ['a codec', z.codec(z.string(), z.date(), { decode: (s) => new Date(s), encode: (d) => d.toISOString() })],
  ])('because its payload is not JSON: %s', (_, schema) => {
    expect(() => defineJob({ type: 'plain', payload: schema })).toThrow(
      expect.objectContaining({ code: 'payload_not_json' }),
    );
  });

  test.each<[string, object, string]>([
    ['a type with a space', { type: 'send mail' }, 'invalid_job_type'],
    ['a type that begins with a digit', { type: '2fa' }, 'invalid_job_type'],
    ['a type with a colon', { type: 'mail:send' }, 'invalid_job_type'],
    ['an empty type', { type: '' }, 'invalid_job_type'],
    ['a type that is too long', { type: 'x'.repeat(64) }, 'invalid_job_type'],
    ['version 0', { version: 0 }, 'invalid_job_option'],
    ['no attempts', { maxAttempts: 0 }, 'invalid_job_option'],
    ['half an attempt', { maxAttempts: 1.5 }, 'invalid_job_option'],
    ['a negative number of releases', { alertAfterReleases: -1 }, 'invalid_job_option'],
    ['a negative number of snoozes', { maxSnoozes: -1 }, 'invalid_job_option'],
    ['a default payload that its own schema refuses', { defaultPayload: { id: 'one' } }, 'invalid_job_option'],
    ['priority 10', { priority: 10 }, 'invalid_job_option'],
    ['an empty queue', { queue: '' }, 'invalid_job_option'],
    ['queues without its own', { queue: 'mail', queues: ['bulk'] }, 'invalid_job_option'],
    ['no queues', { queues: [] }, 'invalid_job_option'],
    ['a queue of no name', { queues: ['default', 'bulk mails'] }, 'invalid_job_option'],
    ['a lease under a second', { lease: '900ms' }, 'invalid_job_option'],
    ['no time at all', { timeout: '0s' }, 'invalid_job_option'],
    ['a death that is told to its own type', { onDead: 'plain' }, 'invalid_job_option'],
    ['a death that is told to no type', { onDead: 'plain mail' }, 'invalid_job_option'],
    ['a number of retries, as other queues have it', { retry: 3 }, 'invalid_job_option'],
    ['a policy of no kind that there is', { retry: { kind: 'linear' } }, 'invalid_job_option'],
    ['no policy', { retry: null }, 'invalid_job_option'],
    ['another word for what happens at a stop', { onShutdown: 'kill' }, 'invalid_job_option'],
    ['another word for its effects', { effects: 'exactly_once' }, 'invalid_job_option'],
    ['a key that is the name of a field', { idempotencyKey: 'id' }, 'invalid_job_option'],
    ['a rule that is none', { unique: true }, 'invalid_job_option'],
    ['errors without the lists', { errors: ['card_declined'] }, 'invalid_job_option'],
    ['a list of errors that is none', { errors: { permanent: 'card_declined' } }, 'invalid_job_option'],
    ['a part of a day for which it is kept', { keep: '36h' }, 'invalid_job_option'],
    ['no day for which it is kept', { keep: '0d' }, 'invalid_job_option'],
    ['a dead run that is kept for a number', { keepDead: 90 }, 'invalid_duration'],
    ['another word for the attempts that are kept', { keepAttempts: 'succeeded' }, 'invalid_job_option'],
    ['a duration without a unit', { timeout: '30' }, 'invalid_duration'],
    ['a duration of over ten years', { timeout: '3651d' }, 'invalid_duration'],
  ])('because of %s', (_, options, code) => {
    expect(() => defineJob({ type: 'plain', payload, ...options } as never)).toThrow(expect.objectContaining({ code }));
  });

  test.each<[string, object, string]>([
    ['misspelt', { maxAttemps: 3 }, '"maxAttemps" (do you mean maxAttempts?)'],
    ['in other letters', { Timeout: '1m' }, '"Timeout" (do you mean timeout?)'],
    ['what BullMQ calls it', { attempts: 3 }, '"attempts": here it is maxAttempts'],
    ['what pg-boss calls it', { retryLimit: 3 }, '"retryLimit": here it is maxAttempts'],
    [
      'a backoff',
      { backoff: { type: 'fixed', delay: 1 } },
      '"backoff": here it is retry: exponential({ base: "10s" })',
    ],
    ['a delay', { startAfter: 60 }, '"startAfter": here it is delay or runAt of enqueue'],
    ['a key', { singletonKey: 'a' }, '"singletonKey": here it is idempotencyKey, or unique'],
    ['a time limit', { expireInSeconds: 60 }, '"expireInSeconds": here it is timeout: "1m"'],
    ['what is kept', { removeOnComplete: true }, '"removeOnComplete": here it is keep: "7d" and keepDead'],
    ['like nothing that there is', { colour: 'red' }, 'there is no option "colour".'],
    ['a name of every object', { constructor: 1 }, 'there is no option "constructor".'],
  ])('because of an option that there is not: %s', (_, options, told) => {
    expect(() => defineJob({ type: 'plain', payload, ...options } as never)).toThrow(
      expect.objectContaining({ code: 'invalid_job_option', message: expect.stringContaining(told) }),
    );
  });

  test('because its retry would come at once, or never', () => {
    expect(() => fixed('0s')).toThrow(expect.objectContaining({ code: 'invalid_retry_policy' }));
    expect(() => delays([])).toThrow(expect.objectContaining({ code: 'invalid_retry_policy' }));
    expect(() => exponential({ base: '1s', factor: 0.5 })).toThrow(
      expect.objectContaining({ code: 'invalid_retry_policy' }),
    );
  });

  test.each<[string, object]>([
    ['version 2 without a past', { version: 2 }],
    ['a gap in its past', { version: 4, past: { 1: step, 3: step } }],
    ['a past that ends too soon', { version: 3, past: { 1: step } }],
    ['today in its past', { version: 2, past: { 1: step, 2: step } }],
    ['version 0 in its past', { version: 2, past: { 0: step, 1: step } }],
    ['a name in its past', { version: 2, past: { 1: step, old: step } }],
    ['a step without a schema', { version: 2, past: { 1: { lift: step.lift } } }],
    ['a schema without a step', { version: 2, past: { 1: { payload } } }],
    ['a past that is null', { version: 2, past: null }],
  ])('because of %s', (_, options) => {
    expect(() => defineJob({ type: 'plain', payload, ...options } as never)).toThrow(
      expect.objectContaining({ code: 'past_incomplete', message: expect.stringContaining('plain') }),
    );
  });

  test('because a payload of its past is not JSON, and the version is named', () => {
    const past = { 1: { payload: z.object({ at: z.date() }), lift: () => ({ id: 1 }) } };
    expect(() => defineJob({ type: 'plain', version: 2, payload, past })).toThrow(
      expect.objectContaining({ code: 'payload_not_json', message: expect.stringContaining('version 1') }),
    );
  });

  test('because two contracts have the same type', () => {
    const contract: JobContract = defineJob({ type: 'plain', payload });
    const list: readonly JobContract[] = [contract, contract];
    expect(() => defineCatalog(list)).toThrow(expect.objectContaining({ code: 'duplicate_job_type' }));
  });
});

test.each([
  ['250ms', 250],
  ['30s', 30_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
  ['3650d', 315_360_000_000],
] as const)('a duration of %s is %d ms', (duration, ms) => {
  expect(parseDuration(duration)).toBe(ms);
});
