import { expect, test } from '@jest/globals';
import { hasTemplate, renderPayload, due } from './due-template.js';

const at = Date.parse('2026-03-01T23:30:00Z');
const render = (payload: unknown, zone = 'Europe/Berlin'): unknown => renderPayload('echo', payload, at, zone);

test('a date is the local one of the due time in its zone, moved by calendar days', () => {
  expect(render({ day: due.date() })).toEqual({ day: '2026-03-02' });
  expect(render({ day: due.date() }, 'UTC')).toEqual({ day: '2026-03-01' });
  expect(render({ day: due.date({ addDays: -1 }), from: due.date({ addDays: -7 }) }, 'UTC')).toEqual({
    day: '2026-02-28',
    from: '2026-02-22',
  });
});

test('an instant is in UTC, and a value that is no template stays as it is', () => {
  const payload = { at: due.iso(), list: [due.iso(), 1, null, 'x'], deep: { n: { ok: true } } };
  expect(render(payload)).toEqual({
    at: '2026-03-01T23:30:00.000Z',
    list: ['2026-03-01T23:30:00.000Z', 1, null, 'x'],
    deep: { n: { ok: true } },
  });
  expect(hasTemplate(payload)).toBe(true);
  expect(hasTemplate({ list: [1, { a: null }] })).toBe(false);
});

test.each([
  [{ $due: 'time' }],
  [{ $due: 'date', addDays: 1.5 }],
  [{ $due: 'date', addDays: '1' }],
  [{ $due: 'date', addDays: 400 }],
  [{ $due: 'iso', addDays: 1 }],
  [{ $due: 'date', zone: 'UTC' }],
  [{ $due: null }],
])('the template %p is refused, and the error says where it is', (template) => {
  expect(() => render({ a: [template] })).toThrow(
    expect.objectContaining({ code: 'invalid_template', facts: expect.objectContaining({ pointer: '/a/0' }) }),
  );
});
