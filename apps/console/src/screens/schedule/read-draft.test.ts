import { describe, expect, test } from '@jest/globals';
import type { Schedule } from '../../api/use-schedules.js';
import { findObstacle, printDuration, readDraft, toRequest } from './read-draft.js';

const schedule: Schedule = {
  key: 's',
  type: 't',
  version: 1,
  cron: null,
  everyMs: 900_000,
  at: null,
  timeZone: 'Europe/Berlin',
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: null,
  words: '',
  policy: '',
  missed: { policy: 'all', toleranceMs: 300_000, limit: 3, maxAgeMs: 7_200_000 },
  overlap: { policy: 'queue', limit: 5 },
  splayMs: 600_000,
  isPaused: false,
  pause: null,
  source: 'api',
  sourceProgram: null,
  sourceVersion: null,
  nextDueAt: null,
  nextFiresAt: null,
  lastRunId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

describe('an edited schedule', () => {
  test('keeps everything that nobody has edited', () => {
    expect(toRequest(readDraft(schedule), schedule, { n: 1 })).toEqual({
      type: 't',
      payload: { n: 1 },
      every: '15m',
      timeZone: 'Europe/Berlin',
      startsAt: '2026-01-01T00:00:00.000Z',
      missed: { policy: 'all', tolerance: '5m', limit: 3, maxAge: '2h' },
      overlap: { policy: 'queue', limit: 5 },
      splay: '10m',
    });
  });

  test('is not saved where its payload is not seen whole, because saving would write what is seen', () => {
    expect(findObstacle(undefined)).toBe('withheld');
    expect(findObstacle('{"iban":"[sensitive]"}')).toBe('redacted');
    expect(findObstacle('{"n":12345678901234567890}')).toBe('inexact');
    expect(findObstacle('{"day":{"$due":"date","addDays":-1},"name":"ü","n":1.5}')).toBeNull();
    expect(findObstacle('null')).toBeNull();
  });
});

test('a duration is written in the largest unit that is exact', () => {
  expect([0, 1, 1_500, 90_000, 86_400_000].map(printDuration)).toEqual(['0s', '1ms', '1500ms', '90s', '1d']);
});
