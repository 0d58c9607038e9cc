import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { deadJob } from './dead-job.js';
import { defineJob } from './define-job.js';
import { parseValue } from './parse-value.js';

const told = { jobId: '1', type: 'charge', errorCode: 'boom', error: 'no', attempts: 1, meta: null };
const { payloadJsonSchema } = defineJob({ type: 'tell_support', payload: deadJob });
const fits = new Ajv2020().compile(payloadJsonSchema);

test.each<[string, unknown]>([
  ['without a payload', told],
  ['with any payload', { ...told, payload: { invoice: [7] } }],
  ['with meta', { ...told, meta: { traceparent: '00' } }],
])('the schema of what tells of a death takes it %s', (_, value) => {
  expect(parseValue(deadJob, value)).toEqual({ success: true, data: value });
  expect(fits(value)).toBe(true);
});

test.each<[string, unknown, string]>([
  ['nothing', null, ''],
  ['a list', [told], ''],
  ['a number as its id', { ...told, jobId: 1 }, '/jobId'],
  ['half an attempt', { ...told, attempts: 0.5 }, '/attempts'],
  ['meta of numbers', { ...told, meta: { n: 1 } }, '/meta'],
  ['no error', { ...told, error: undefined }, '/error'],
])('and refuses %s, as its JSON Schema does', (_, value, pointer) => {
  expect(parseValue(deadJob, value)).toMatchObject({ success: false, issues: [{ pointer }] });
  expect(fits(JSON.parse(JSON.stringify(value)))).toBe(false);
});
