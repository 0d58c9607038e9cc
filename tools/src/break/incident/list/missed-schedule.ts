import { createOperator } from '../../../kit/create-operator.js';
import { createKey } from '@duework/operate';
import { waitUntil } from '../../../kit/wait-until.js';
import type { Incident, Scene } from '../incident.js';

const KEY = 'cleanup';
const SOON_MS = 3_000;

interface DueTime {
  readonly dueAt: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly runStatus: string | null;
}

const readDueTimes = async ({ shop }: Scene): Promise<readonly DueTime[]> =>
  (await shop.get<{ dueTimes: DueTime[] }>(`/v1/due-times?schedule=${KEY}`)).dueTimes;

/** A due time came behind a pause that somebody forgot. */
export const missedSchedule: Incident = {
  wrong: 'The cleanup of last night has written no report.',
  page: 'runbook.md#it-did-not-run-last-night',
  async begin(scene) {
    const { db, shop, url } = scene;
    await scene.startWorker('mail-1');
    const { text } = await createKey(db, { name: 'colleague', scopes: ['schedules'] });
    await shop.put(`/v1/schedules/${KEY}`, {
      ...{ type: 'cleanup_nightly', payload: { day: { $due: 'date', addDays: -1 } } },
      ...{ every: '1d', startsAt: new Date(Date.now() + SOON_MS).toISOString() },
      missed: { policy: 'skip', tolerance: '1s' },
    });
    const colleague = createOperator(url, text);
    await colleague.post(`/v1/schedules/${KEY}/pause`, { reason: 'maintenance' });
    await waitUntil('The due time is not late', async () => {
      const { rows } = await db.query<{ isLate: boolean }>(
        `SELECT tick_at < now() - interval '3 s' AS "isLate" FROM duework.schedules WHERE key = $1`,
        [KEY],
      );
      return rows[0]?.isLate;
    });
    await colleague.post(`/v1/schedules/${KEY}/resume`);
    await waitUntil('Nothing was skipped', async () => (await readDueTimes(scene)).length > 0);
  },
  async play({ see, run }) {
    const zone = '--zone UTC';
    const [, dueTime] = await run(
      `schedules due-times ${KEY} ${zone}`,
      /^(\S+) +cleanup +skipped +missed, paused by key:colleague: maintenance/m,
    );
    await run(`schedules trigger ${KEY} --due-time ${dueTime} --reason 'it was paused by mistake'`, /ob \d+/);
    await see(`schedules due-times ${KEY} ${zone}`, /cleanup +fired +triggered.*succeeded/);
    await run('audit --verb trigger_schedule', /key:on-call.*it was paused by mistake/);
  },
  async click({ press, see }) {
    await press('Schedules');
    await press('cleanup');
    await see(/maintenance/);
    await press(/Run this due time/);
    await press(/Run/);
    await see(/by hand|succeeded/);
  },
  async judge(scene) {
    const [dueTime] = await readDueTimes(scene);
    return dueTime?.runStatus === 'succeeded' ? [] : ['The skipped due time has not run.'];
  },
};
