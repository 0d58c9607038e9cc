import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineJob, parseDuration, type Duration } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { root } from '../../../bootstrap/paths.mjs';
import { readOptions } from './render-options.js';

test('a default is taken out of the comment, wherever it stands there', () => {
  const source = `export interface Given<T> extends Other<T> {
  /** A name. */
  readonly type: T;
  /** Attempts before
   * it is dead; default 10. More is seldom of use. */
  readonly max?: number;
  /** \`'finish'\` (default) waits. */
  readonly onStop?: 'finish' | 'drop';
  /** Default \`exponential({ base: '10s' })\`. */
  readonly retry?: object;
  readonly bare?: string;
}
`;
  expect(readOptions(source, 'Given')).toEqual([
    { name: 'type', isRequired: true, default: null, meaning: 'A name.' },
    {
      name: 'max',
      isRequired: false,
      default: '10',
      meaning: 'Attempts before it is dead. More is seldom of use.',
    },
    { name: 'onStop', isRequired: false, default: "`'finish'`", meaning: "`'finish'` (default) waits." },
    { name: 'retry', isRequired: false, default: "`exponential({ base: '10s' })`", meaning: '' },
    { name: 'bare', isRequired: false, default: null, meaning: '' },
  ]);
});

test('the defaults of a contract are those that its comments name', () => {
  const source = readFileSync(join(root, 'packages/contracts/src/job-options.ts'), 'utf8');
  const told = new Map(readOptions(source, 'JobOptions').map((option) => [option.name, option.default]));
  const number = (name: string): number => Number(told.get(name)!.replaceAll(',', ''));
  const ms = (name: string): number => parseDuration(told.get(name)!.replaceAll(/[`']/g, '') as Duration);
  const plain = defineJob({ type: 'plain', payload: z.object({}) });
  expect(plain).toMatchObject({
    version: number('version'),
    maxAttempts: number('maxAttempts'),
    maxSnoozes: number('maxSnoozes'),
    alertAfterReleases: number('alertAfterReleases'),
    priority: number('priority'),
    timeoutMs: ms('timeout'),
    leaseMs: ms('lease'),
  });
});
