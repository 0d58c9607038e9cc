import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { waitUntil } from '../../kit/wait-until.js';
import { startKillable, type KillableService } from './start-killable.js';

const cwd = mkdtempSync(join(tmpdir(), 'duework-killable-'));
writeFileSync(join(cwd, 'wait.mjs'), 'console.log(`pid ${process.pid}`); setInterval(() => {}, 1_000);');
writeFileSync(join(cwd, 'end.mjs'), 'process.exit(3);');
afterAll(() => rmSync(cwd, { recursive: true }));

function start(main: string): { service: KillableService; lines: string[]; changes: string[] } {
  const lines: string[] = [];
  const changes: string[] = [];
  const service = startKillable(
    { name: 'program', main },
    { cwd, env: {}, onLine: (line) => void lines.push(line), onChange: (what) => void changes.push(what) },
  );
  return { service, lines, changes };
}

describe('a program that is killed on request', () => {
  test('is started again, which is no end of it, and a second request meanwhile changes nothing', async () => {
    const { service, lines, changes } = start('wait.mjs');
    await waitUntil('It did not start', () => lines.length === 1);
    const first = service.pid;
    service.killFor(50);
    service.killFor(50);
    await waitUntil('It did not start again', () => lines.length === 2);
    expect(changes).toEqual(['killed', 'started']);
    expect(lines).toEqual([`pid ${first}`, `pid ${service.pid}`]);
    service.stop('SIGTERM');
    expect(await service.exited).toEqual({ how: 'SIGTERM' });
  });

  test('ends at once when it is stopped while it is away, and is not started again', async () => {
    const { service, lines, changes } = start('wait.mjs');
    await waitUntil('It did not start', () => lines.length === 1);
    service.killFor(3_600_000);
    await waitUntil('It was not killed', () => changes.length === 1);
    service.stop('SIGTERM');
    expect(await service.exited).toEqual({ how: 'stopped while it was away' });
    expect(changes).toEqual(['killed']);
  });

  test('that ends by itself has ended', async () => {
    const { service, changes } = start('end.mjs');
    expect(await service.exited).toEqual({ how: 'exit code 3' });
    expect(changes).toEqual([]);
  });
});
