import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defineJob } from './define-job.js';

const options = { type: 'order', payload: z.object({ id: z.int() }) } as const;

test('a contract is durable where it says so', () => {
  expect(defineJob({ ...options, durable: true }).durable).toBe(true);
  expect(defineJob(options).durable).toBe(false);
});

describe('a durable contract is refused', () => {
  test.each<[string, object]>([
    ['isolate, because a process of its own has no steps', { isolate: {} }],
    ['collect, because a call of many jobs has no steps', { collect: { max: 2, wait: '1s' } }],
  ])('together with %s', (_, more) => {
    expect(() => defineJob({ ...options, durable: true, ...more })).toThrow(
      expect.objectContaining({ code: 'invalid_job_option', message: expect.stringContaining('durable') }),
    );
  });

  test('that says something else than true or false', () => {
    expect(() => defineJob({ ...options, durable: 'yes' as never })).toThrow(
      expect.objectContaining({ code: 'invalid_job_option' }),
    );
  });
});
