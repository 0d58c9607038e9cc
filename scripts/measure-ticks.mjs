/**
 * `npm run measure:ticks`: how long an idle tick takes beside 100,000 schedules, and how long 10,000 slots that are due at
 * once. On a PostgreSQL of its own, with the settings of the tests; take ratios from it, not absolute values.
 */
import { checkNode } from './lib/check-node.mjs';

checkNode();

const SCHEDULES = 100_000;
const DUE = 10_000;
const IDLE_TICKS = 500;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Auckland', 'UTC'];

async function measure(url) {
  const { join } = await import('node:path');
  const { root } = await import('./lib/paths.mjs');
  const built = (name) => import(join(root, name, 'dist/index.js'));
  const { connectPg, connectPrisma } = await built('packages/database');
  const { catalog, sendWeeklyReport } = await built('packages/contracts');
  const { saveSchedules, scheduleRequest, slot, tickSchedules } = await built('packages/queue-core');
  const db = connectPg({ url, poolSize: 2 });
  const lab = connectPrisma({ url, poolSize: 1 });
  const timed = async (act) => {
    const startMs = performance.now();
    const result = await act();
    return { result, ms: performance.now() - startMs };
  };
  const requests = Array.from({ length: SCHEDULES }, (_, index) =>
    scheduleRequest(sendWeeklyReport, {
      key: `report:${index}`,
      cron: '0 9 * * 1',
      timeZone: ZONES[index % ZONES.length],
      payload: { userId: index + 1, from: slot.date({ addDays: -7 }), to: slot.date({ addDays: -1 }) },
    }),
  );
  const saved = await timed(() => saveSchedules(db, requests));
  process.stdout.write(`${SCHEDULES} schedules saved in ${(saved.ms / 1_000).toFixed(1)} s\n`);
  await lab.$executeRaw`VACUUM ANALYZE duework.schedules`;
  const idle = await timed(async () => {
    for (let i = 0; i < IDLE_TICKS; i++) await tickSchedules({ db, catalog });
  });
  process.stdout.write(`an idle tick beside them: ${(idle.ms / IDLE_TICKS).toFixed(2)} ms\n`);
  await lab.$executeRaw`UPDATE duework.schedules SET next_slot_at = next_slot_at - interval '7 days', tick_at = tick_at - interval '7 days' WHERE id <= ${DUE}`;
  const due = await timed(() => tickSchedules({ db, catalog }));
  process.stdout.write(`${due.result.fired} slots due at once: enqueued in ${(due.ms / 1_000).toFixed(2)} s\n`);
  await Promise.all([db.$disconnect(), lab.$disconnect()]);
}

async function main() {
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { withFreshDatabase } = await import('./lib/with-fresh-database.mjs');
  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir });
    await withFreshDatabase(measure);
    return 0;
  });
}

void main();
