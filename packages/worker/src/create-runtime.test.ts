import { gate } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { createRuntime } from './create-runtime.js';

test('a worker that is stopped while its database is asked begins nothing more', async () => {
  const [asked, answered] = [gate(), gate()];
  const begun: string[] = [];
  const note = (name: string) => async (): Promise<void> => void begun.push(name);
  const place = {
    worker: { start: note('start'), stop: note('stop') },
    async check() {
      asked.open();
      await answered.promise;
    },
    prepare: note('prepare'),
    close: async () => {},
  };
  const settings = { databaseWaitMs: 60_000, shutdownDeadlineMs: 1_000, workerName: 'w' };
  const options = { given: {}, settings, once: null, isPortless: true };
  const runtime = createRuntime(options as never, () => place as never);
  const started = runtime.start();
  await asked.promise;
  runtime.stop(0);
  answered.open();
  await started;
  expect(await runtime.ended).toBe(0);
  expect(begun).toEqual([]);
});
