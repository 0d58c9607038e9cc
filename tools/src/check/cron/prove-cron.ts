import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { root } from '../../../bootstrap/paths.mjs';
import { isAlive } from '../../kit/data-dirs.js';
import { onEnd } from '../../kit/clean-up.js';
import { openClient } from '../../kit/open-client.js';
import { waitUntil } from '../../kit/wait-until.js';

const CRONTAB = '/etc/cron.d/duework-check';
const PID_FILE = '/var/run/crond.pid';
/** cron starts jobs with the minute, and reads its files once a minute. */
const LIMIT_MS = 5 * 60_000;
const LOOK_MS = 1_000;
const WANTED_SLOTS = 2;
/** The two entries that wake a worker in the same minute. */
const ENTRIES = ['one', 'two'];

/** The recipe of docs/how-to/schedules.md: cron gives no environment, so the line brings its own. */
function crontab(url: string, dir: string): string {
  const worker = join(root, 'apps/worker/dist/main.js');
  const wake = (name: string): string =>
    `* * * * * root cd ${dir} && DATABASE_URL='${url}' TEMP_DIR=${dir}/temp ${process.execPath} ${worker} --once --max-runtime 30s >>${dir}/${name}.log 2>&1; echo $? >>${dir}/${name}.codes\n`;
  return ENTRIES.map(wake).join('');
}

function checkHost(): void {
  if (process.getuid?.() !== 0) throw new Error('This needs root: it writes to /etc/cron.d.');
  if (spawnSync('which', ['cron']).status !== 0) throw new Error('There is no cron here. Run: apt-get install cron');
}

/** Starts a cron daemon, unless one runs. */
function startCron(): () => void {
  const pid = existsSync(PID_FILE) ? Number(readFileSync(PID_FILE, 'utf8')) : 0;
  if (pid > 0 && isAlive(pid)) return () => {};
  const child = spawn('cron', ['-f'], { stdio: 'ignore' });
  return onEnd(() => child.kill('SIGTERM'));
}

/**
 * A daily type every minute: each slot has the date of another day, so that each is a job of its own; the schedule ends
 * before its second slot.
 */
async function plantSchedules(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO duework.schedules (key, job_type, job_version, payload, every_ms, time_zone, missed, missed_tolerance_ms, missed_limit,
      missed_max_age_ms, overlap, overlap_limit, splay_ms, splay_offset_ms, source, next_slot_at, tick_at)
    SELECT 'cron_check:' || day, 'cleanup_nightly', 1, jsonb_build_object('day', day), 60000, 'UTC', 'latest', 300000, 10,
      86400000, 'skip', 10, 0, 0, 'api', at, at
    FROM (SELECT ('2026-01-0' || n) AS day, date_trunc('minute', now()) + n * interval '1 minute' AS at FROM generate_series(1, ${WANTED_SLOTS}) AS n) AS x
  `);
  await client.query(
    `UPDATE duework.schedules SET ends_at = next_slot_at + interval '1 second' WHERE key LIKE 'cron_check:%'`,
  );
}

/** How late each slot fired, with the job that succeeded: milliseconds, as PostgreSQL writes them. */
async function readDone(client: pg.Client): Promise<{ readonly late_ms: string }[]> {
  const { rows } = await client.query<{ late_ms: string }>(`
    SELECT l.late_ms FROM duework.schedule_slots l JOIN duework.job_history h ON h.id = l.run_id
    WHERE l.schedule_key LIKE 'cron_check:%' AND l.outcome = 'fired' AND h.status = 'succeeded'`);
  return rows;
}

async function readCount(client: pg.Client, text: string): Promise<number> {
  return (await client.query<{ count: number }>(text)).rows[0]?.count ?? 0;
}

/** @throws Error when a slot fired twice, or the numbers of jobs and slots differ */
async function checkOnce(client: pg.Client): Promise<void> {
  const doubled = await readCount(
    client,
    `SELECT count(*)::int AS count FROM (SELECT schedule_key FROM duework.schedule_slots WHERE schedule_key LIKE 'cron_check:%' GROUP BY 1 HAVING count(*) > 1) AS x`,
  );
  const runs = await readCount(
    client,
    `SELECT count(*)::int AS count FROM duework.jobs WHERE payload ->> 'day' LIKE '2026-01-0%'`,
  );
  if (doubled > 0 || runs !== WANTED_SLOTS)
    throw new Error(`${doubled} slots came twice, and there are ${runs} jobs for ${WANTED_SLOTS} slots.`);
}

/** The exit codes of every wake-up that has ended. */
const readCodes = (dir: string): string[] =>
  ENTRIES.map((name) => join(dir, `${name}.codes`))
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));

/** @param url of a fresh, migrated database */
export async function proveCron(url: string): Promise<void> {
  checkHost();
  const client = await openClient(url);
  const dir = mkdtempSync(join(tmpdir(), 'duework-cron-'));
  await plantSchedules(client);
  const removeCrontab = onEnd(() => rmSync(CRONTAB, { force: true }));
  writeFileSync(CRONTAB, crontab(url, dir), { mode: 0o644 });
  const stopCron = startCron();
  try {
    const done = await waitUntil(
      `${WANTED_SLOTS} slots had not succeeded (the logs are in ${dir})`,
      async () => {
        const found = await readDone(client);
        return found.length >= WANTED_SLOTS && found;
      },
      { limitMs: LIMIT_MS, everyMs: LOOK_MS },
    );
    // wake-ups that still run end by themselves
    removeCrontab();
    await checkOnce(client);
    const codes = readCodes(dir);
    if (codes.some((code) => code !== '0'))
      throw new Error(`A wake-up ended with ${codes.join(', ')}. The logs are in ${dir}.`);
    const late = done.map(({ late_ms: lateMs }) => `${(Number(lateMs) / 1_000).toFixed(1)} s`).join(', ');
    process.stdout.write(
      `cron woke ${codes.length} workers, two in each minute: ${WANTED_SLOTS} slots, each fired once and succeeded (late by ${late}).\n`,
    );
    rmSync(dir, { recursive: true });
  } finally {
    removeCrontab();
    stopCron();
    await client.end();
  }
}
