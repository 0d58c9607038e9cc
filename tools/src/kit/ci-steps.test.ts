import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { root } from '../../bootstrap/paths.mjs';

const dir = mkdtempSync(join(tmpdir(), 'duework-steps-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Starts a script of steps, as .ci/run is one. */
function start(script: string) {
  const path = join(dir, 'script');
  writeFileSync(path, `source ${join(root, '.ci/steps.sh')}\n${script}`);
  const child = spawn('bash', [path], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  return { child, ended };
}

/** Two lanes, each of which waits for what the other has done. */
const LANES = `
left() { step 'l1' touch ${dir}/left; step 'l2' bash -c 'until [[ -e ${dir}/right ]]; do :; done'; }
right() { step 'r1' bash -c 'until [[ -e ${dir}/left ]]; do :; done'; step 'r2' touch ${dir}/right; }
`;

test('two lanes run side by side, and each step is told with its seconds', async () => {
  const { code, said } = await start(`${LANES}side_by_side left right\nstep last echo fine\ntell_times .`).ended;
  expect(said.split('\n')).toEqual(expect.arrayContaining(['== l2', '== r2', 'fine']));
  for (const name of ['l1', 'l2', 'r1', 'r2', 'last']) expect(said).toMatch(new RegExp(`^ +\\d+ s  ${name}$`, 'm'));
  expect(code).toBe(0);
});

test('a step that fails in a lane is named at the end, the other lane ends, and no later step begins', async () => {
  const script = `left() { step 'l1' false; step 'l2' echo never; }\nright() { step 'r1' touch ${dir}/ended; }\n`;
  const { code, said } = await start(`${script}side_by_side left right\nstep last echo never`).ended;
  expect(said).toMatch(/CI failed at: l1 \(false\)\s*$/);
  expect(said).not.toContain('never');
  expect(existsSync(join(dir, 'ended'))).toBe(true);
  expect(code).toBe(1);
});

test('a lane that ends without a word fails, too', async () => {
  const { code } = await start('left() { kill -KILL $BASHPID; }\nright() { step r1 true; }\nside_by_side left right')
    .ended;
  expect(code).toBe(1);
});

test('what runs in a lane ends with the script', async () => {
  const hold = `bash -c 'echo $$ >${dir}/pid.new; mv ${dir}/pid.new ${dir}/pid; exec tail -f /dev/null'`;
  const { child, ended } = start(`left() { step l1 ${hold}; }\nright() { step r1 true; }\nside_by_side left right`);
  while (!existsSync(join(dir, 'pid'))) await new Promise((resolve) => setImmediate(resolve));
  const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'));
  child.kill('SIGTERM');
  expect((await ended).code).toBe(130);
  const isAlive = (): boolean => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  while (isAlive()) await new Promise((resolve) => setImmediate(resolve));
});
