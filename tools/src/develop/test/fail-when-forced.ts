import type { JestResult } from './run-jest.js';

/**
 * Makes a run fail, with the reason, when jest had to kill one of its workers: what a test leaves open is a leak in the
 * test or in the product. Any other result is returned unchanged.
 */
export function failWhenForced(result: JestResult): JestResult {
  if (!result.isForced) return result;
  process.stderr.write(
    'The run has failed: jest had to kill one of its workers, so a test left something open (a timer, a socket, a process). ' +
      'Find it with: npm test -- <path> --detectOpenHandles. Where nothing is open, the machine was too busy for a worker to end within 500 ms.\n',
  );
  return { ...result, code: result.code === 0 ? 1 : result.code, failed: Math.max(1, result.failed) };
}
