import { expect, test } from '@jest/globals';
import type { WorkerEvent } from './events.js';
import { createFakeClock } from '@duework/testing';
import { reportFailures } from './report-failures.js';

function arrange() {
  const clock = createFakeClock();
  const told: WorkerEvent[] = [];
  return { clock, told, report: reportFailures('w', clock, (event) => told.push(event)) };
}

test('a cause that fails and recovers in turn is reported at most once a second', async () => {
  const { clock, told, report } = arrange();
  for (let time = 0; time < 100; time++) {
    report.failed('tick', new Error('disk full'));
    report.succeeded('tick');
    await clock.advance(50);
  }
  // five seconds
  expect(told.filter(({ name }) => name === 'database.failed')).toHaveLength(5);
  expect(told.filter(({ name }) => name === 'database.recovered')).toHaveLength(5);
});

test('failures that were not reported are counted in the next report', async () => {
  const { clock, told, report } = arrange();
  for (let time = 0; time < 3; time++) report.failed('claim', new Error('away'));
  await clock.advance(1_000);
  report.failed('claim', new Error('away'));
  report.succeeded('claim');
  expect(told).toMatchObject([
    { name: 'database.failed', failures: 1 },
    { name: 'database.failed', failures: 4 },
    { name: 'database.recovered', failures: 4 },
  ]);
});

test('each cause is reported by itself', () => {
  const { told, report } = arrange();
  report.failed('claim', new Error('away'));
  report.failed('settle', new Error('away'));
  expect(told).toMatchObject([{ during: 'claim' }, { during: 'settle' }]);
});
