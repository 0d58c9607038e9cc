import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { root } from '../../bootstrap/paths.mjs';
import { startProcess } from './start-process.js';

const dir = mkdtempSync(join(tmpdir(), 'duework-process-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('the warnings of a process are told, also those of its threads, and nothing else that it prints', async () => {
  const file = join(dir, 'warn.mjs');
  writeFileSync(
    file,
    `import { Worker } from 'node:worker_threads';
    process.env.DUEWORK_TEST_WARNINGS = ''; // these are no failure of this test
    console.error('a line that is no warning');
    process.emitWarning('of the process', { code: 'DW1', type: 'DeprecationWarning' });
    new Worker('process.emitWarning("of its thread")', { eval: true }).on('exit', () => process.disconnect());`,
  );
  const warned: string[] = [];
  const process = startProcess({
    main: relative(join(root, 'tools/dist/src'), file),
    name: 'warner',
    onWarning: (line) => void warned.push(line.replace(/\d+/, 'PID')),
  });
  expect(await process.exited).toEqual({ code: 0, signal: null });
  expect(warned).toEqual(['(node:PID) [DW1] DeprecationWarning: of the process', '(node:PID) Warning: of its thread']);
  expect(process.said).toContain('a line that is no warning');
});
