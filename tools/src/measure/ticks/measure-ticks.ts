import { catalog, sendWeeklyReport } from '@duework/shop';
import { connectPg, connectPrisma } from '@duework/database';
import { saveSchedules, scheduleRequest, slot, tickSchedules } from '@duework/schedules';
import { timed } from '../../kit/timed.js';

export const SCHEDULES = 100_000;
export const DUE = 10_000;
const IDLE_TICKS = 500;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Auckland', 'UTC'] as const;

const seconds = (ms: number, digits: number): string => `${(ms / 1_000).toFixed(digits)} s`;

/** @param url of a fresh, migrated database */
export async function measureTicks(url: string): Promise<void> {
  const db = connectPg({ url, poolSize: 2 });
  const lab = connectPrisma({ url, poolSize: 1 });
  const requests = Array.from({ length: SCHEDULES }, (_, index) =>
    scheduleRequest(sendWeeklyReport, {
      key: `report:${index}`,
      cron: '0 9 * * 1',
      timeZone: ZONES[index % ZONES.length] ?? 'UTC',
      payload: { userId: index + 1, from: slot.date({ addDays: -7 }), to: slot.date({ addDays: -1 }) },
    }),
  );
  const saved = await timed(() => saveSchedules(db, requests));
  process.stdout.write(`${SCHEDULES} schedules saved in ${seconds(saved.ms, 1)}\n`);
  await lab.$executeRaw`VACUUM ANALYZE duework.schedules`;
  const idle = await timed(async () => {
    for (let i = 0; i < IDLE_TICKS; i++) await tickSchedules({ db, catalog });
  });
  process.stdout.write(`an idle tick beside them: ${(idle.ms / IDLE_TICKS).toFixed(2)} ms\n`);
  await lab.$executeRaw`UPDATE duework.schedules SET next_slot_at = next_slot_at - interval '7 days', tick_at = tick_at - interval '7 days' WHERE id <= ${DUE}`;
  const due = await timed(() => tickSchedules({ db, catalog }));
  process.stdout.write(`${due.result.fired} slots due at once: enqueued in ${seconds(due.ms, 2)}\n`);
  await Promise.all([db.$disconnect(), lab.$disconnect()]);
}
