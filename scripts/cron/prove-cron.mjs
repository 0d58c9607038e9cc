import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { requirePg } from '../lib/with-fresh-database.mjs';
import { root } from '../lib/paths.mjs';

const CRONTAB = '/etc/cron.d/duework-check';
/** cron begins with the minute, and looks at its files once a minute. */
const LIMIT_MS = 5 * 60_000;
const WANTED_SLOTS = 2;

/** As the recipe in docs/schedules.md has it: cron gives no environment, so the line brings its own. */
function crontab({ url, dir }) {
  const worker = join(root, 'apps/worker/dist/main.js');
  const wake = (name) =>
    `* * * * * root cd ${dir} && DATABASE_URL='${url}' TEMP_DIR=${dir}/temp ${process.execPath} ${worker} --once --max-runtime 30s >>${dir}/${name}.log 2>&1; echo $? >>${dir}/${name}.codes`;
  return `${wake('one')}\n${wake('two')}\n`;
}

function checkHost() {
  if (process.getuid?.() !== 0) throw new Error('This needs root: it writes to /etc/cron.d.');
  if (spawnSync('which', ['cron']).status !== 0) throw new Error('There is no cron here. Run: apt-get install cron');
}

/** A daemon of our own, unless one runs. */
function startCron() {
  const pidFile = '/var/run/crond.pid';
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  if (pid > 0 && existsSync(`/proc/${pid}`)) return () => {};
  const child = spawn('cron', ['-f'], { stdio: 'ignore' });
  return () => child.kill('SIGTERM');
}

/** @param {string} url - of a fresh, migrated database */
export async function proveCron(url) {
  checkHost();
  const { Client } = requirePg();
  const client = new Client(url);
  await client.connect();
  const dir = mkdtempSync(join(tmpdir(), 'duework-cron-'));
  const read = async (text) => (await client.query(text)).rows;
  // a daily type every minute: each slot has the date of a day of its own, so that each is a job of its own
  await client.query(`
    INSERT INTO duework.schedules (key, job_type, payload, every_ms, time_zone, missed, missed_tolerance_ms, missed_limit,
      missed_max_age_ms, overlap, overlap_limit, splay_ms, splay_offset_ms, source, next_slot_at, tick_at)
    SELECT 'cron_check:' || day, 'cleanup_nightly', jsonb_build_object('day', day), 60000, 'UTC', 'latest', 300000, 10,
      86400000, 'skip', 10, 0, 0, 'api', at, at
    FROM (SELECT ('2026-01-0' || n) AS day, date_trunc('minute', now()) + n * interval '1 minute' AS at FROM generate_series(1, ${WANTED_SLOTS}) AS n) AS x
  `);
  // each once: its end comes before its second slot
  await client.query(
    `UPDATE duework.schedules SET ends_at = next_slot_at + interval '1 second' WHERE key LIKE 'cron_check:%'`,
  );
  writeFileSync(CRONTAB, crontab({ url, dir }), { mode: 0o644 });
  const stopCron = startCron();
  try {
    const endMs = Date.now() + LIMIT_MS;
    let done = [];
    while (done.length < WANTED_SLOTS) {
      if (Date.now() > endMs)
        throw new Error(
          `After ${LIMIT_MS / 60_000} minutes ${done.length} of ${WANTED_SLOTS} slots had succeeded. The logs are in ${dir}.`,
        );
      await delay(1_000);
      done = await read(`
        SELECT l.schedule_key, l.late_ms FROM duework.schedule_slots l JOIN duework.job_history h ON h.id = l.run_id
        WHERE l.schedule_key LIKE 'cron_check:%' AND l.outcome = 'fired' AND h.status = 'succeeded'`);
    }
    rmSync(CRONTAB);
    // those that are running end by themselves
    const [{ doubled }] = await read(
      `SELECT count(*)::int AS doubled FROM (SELECT schedule_key FROM duework.schedule_slots WHERE schedule_key LIKE 'cron_check:%' GROUP BY 1 HAVING count(*) > 1) AS x`,
    );
    const [{ runs }] = await read(
      `SELECT count(*)::int AS runs FROM duework.jobs WHERE payload ->> 'day' LIKE '2026-01-0%'`,
    );
    if (doubled > 0 || runs !== WANTED_SLOTS)
      throw new Error(`${doubled} slots came twice, and there are ${runs} jobs for ${WANTED_SLOTS} slots.`);
    const codes = ['one', 'two'].flatMap((name) =>
      existsSync(join(dir, `${name}.codes`))
        ? readFileSync(join(dir, `${name}.codes`), 'utf8')
            .trim()
            .split('\n')
        : [],
    );
    if (codes.some((code) => code !== '0'))
      throw new Error(`A wake-up ended with ${codes.join(', ')}. The logs are in ${dir}.`);
    const late = done.map(({ late_ms: lateMs }) => `${(Number(lateMs) / 1_000).toFixed(1)} s`).join(', ');
    process.stdout.write(
      `cron woke ${codes.length} workers, two in each minute: ${WANTED_SLOTS} slots, each fired once and succeeded (late by ${late}).\n`,
    );
    rmSync(dir, { recursive: true });
  } finally {
    rmSync(CRONTAB, { force: true });
    stopCron();
    await client.end();
  }
}
