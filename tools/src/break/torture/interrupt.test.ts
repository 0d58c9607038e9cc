import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, expect, test } from '@jest/globals';
import { findLeftovers } from '../../kit/data-dirs.js';
import { toolPath } from '../../kit/tool-path.js';
import { waitUntil } from '../../kit/wait-until.js';

const groups = new Set<number>();
afterEach(() => {
  // a failed test has left these
  for (const group of groups) for (const { id } of findProcesses(group)) process.kill(id, 'SIGKILL');
  groups.clear();
});

interface FoundProcess {
  readonly id: number;
  readonly isOfGroup: boolean;
  readonly isFrozen: boolean;
  /** The output, for the message of a failed test. */
  readonly command: string;
}

/**
 * The processes of a torture: those of its process group, and its servers, which have sessions of their own and work in
 * its folder.
 */
function findProcesses(group: number): FoundProcess[] {
  const isFolder = (text: string): boolean => text.includes(`/duework-torture-`) && text.includes(`-${group}-`);
  return readdirSync('/proc').flatMap((id) => {
    try {
      const [state, , processGroup] = readFileSync(`/proc/${id}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      const isOfGroup = Number(processGroup) === group;
      const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const isServer = isFolder(command) || isFolder(readlinkSync(`/proc/${id}/cwd`));
      const isEnded = state === 'Z';
      return (isOfGroup || isServer) && !isEnded
        ? [{ id: Number(id), isOfGroup, isFrozen: state === 'T', command }]
        : [];
    } catch {
      // no process, or one that has just ended
      return [];
    }
  });
}

/** Just before jest's own limit for a test: a busy machine needs more than half a minute until its first fault. */
const LIMIT_MS = 290_000;

/**
 * Starts a torture, presses Ctrl-C at the given time, which signals its whole process group, and returns what is left
 * of it.
 */
async function interruptWhen(isTime: (processes: readonly FoundProcess[]) => boolean): Promise<object> {
  const args = [toolPath('break/torture/main.js'), '--quick', '--faults', 'freeze-worker'];
  const lab = spawn(process.execPath, args, { stdio: 'ignore', detached: true });
  const { pid = 0 } = lab;
  groups.add(pid);
  const closed = once(lab, 'close') as Promise<[number | null]>;
  await waitUntil('It was not time to interrupt', () => isTime(findProcesses(pid)), { everyMs: 5, limitMs: LIMIT_MS });
  process.kill(-pid, 'SIGINT');
  const [code] = await closed;
  return {
    code,
    processes: findProcesses(pid),
    dirs: findLeftovers('torture').filter((dir) => dir.includes(`-${pid}-`)),
  };
}

const NOTHING_LEFT = { code: 130, processes: [], dirs: [] };

test('Ctrl-C leaves no process and no folder, not even those of a worker that is frozen at that moment', async () => {
  if (process.platform !== 'linux') return;
  expect(await interruptWhen((processes) => processes.some(({ isFrozen }) => isFrozen))).toEqual(NOTHING_LEFT);
});

test('Ctrl-C leaves no process and no folder while the database is being made', async () => {
  if (process.platform !== 'linux') return;
  expect(await interruptWhen((processes) => processes.some(({ isOfGroup }) => !isOfGroup))).toEqual(NOTHING_LEFT);
});
