import { expect, test } from '@jest/globals';
import { fillLink, readTraceId } from './fill-link.js';

test('a link is filled with what its job has, whatever characters that is made of', () => {
  const values = { id: '42', workerId: 'mail 1/é&?', traceId: null };
  expect(fillLink('https://logs/?q={id}&host={workerId}#{id}', values)).toBe(
    'https://logs/?q=42&host=mail%201%2F%C3%A9%26%3F#42',
  );
});

test('a link that names what its job does not have is none', () => {
  expect(fillLink('https://traces/{traceId}', { id: '42', traceId: null })).toBeNull();
  expect(fillLink('https://traces/{traceId}', {})).toBeNull();
});

test('the id of a trace is read from a traceparent, and from nothing else', () => {
  expect(readTraceId('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')).toBe(
    '4bf92f3577b34da6a3ce929d0e0e4736',
  );
  expect(readTraceId('none')).toBeNull();
  expect(readTraceId(undefined)).toBeNull();
});
