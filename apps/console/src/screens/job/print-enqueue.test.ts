import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { printTypeScript } from './print-enqueue.js';

test('a job copied as TypeScript is code that the check of the shown code compiles, with all digits of its numbers', () => {
  const shown = readFileSync(new URL('../../../snippets/copied-job.ts', import.meta.url), 'utf8');
  const payload = '{"accountId":12345678901234567890,"userId":42,"tags":["a",1.10]}';
  expect(shown).toContain(printTypeScript('send_reminder', payload));
});
