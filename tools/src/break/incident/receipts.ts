import { waitUntil } from '../../kit/wait-until.js';
import type { Scene } from './incident.js';

/** Enqueues receipts of customer-0 and the others that follow. Returns their ids. */
export async function enqueueReceipts({ shop }: Scene, count: number, options: object = {}): Promise<string[]> {
  const jobs = Array.from({ length: count }, (_, n) => receipt(n, `customer-${n}@example.com`, options));
  const { jobs: made } = await shop.post<{ jobs: { id: string }[] }>('/v1/jobs/batch', { jobs });
  return made.map(({ id }) => id);
}

export const receipt = (n: number, email: string, options: object = {}): object => ({
  type: 'send_receipt',
  payload: { receiptId: `R-${1_000 + n}`, email, amountCents: 990 + n, currency: 'EUR' },
  ...options,
});

export const countJobs = async ({ shop }: Scene, filter: string): Promise<number> =>
  (await shop.get<{ count: number }>(`/v1/jobs/count?filter=${encodeURIComponent(filter)}`)).count;

export const untilJobs = (scene: Scene, count: number, filter: string): Promise<unknown> =>
  waitUntil(`Not ${count} jobs of ${filter}`, async () => (await countJobs(scene, filter)) === count);

/** Whether each customer has one mail, and no job is left. */
export async function judgeReceipts(scene: Scene, customers: number): Promise<readonly string[]> {
  const left = await countJobs(scene, 'status:queued,running,failed,dead,cancelled');
  const { accepted } = scene.mail;
  const twice = [...accepted.values()].filter((times) => times > 1).length;
  return [
    ...(left === 0 ? [] : [`${left} jobs are not done.`]),
    ...(accepted.size === customers ? [] : [`${accepted.size} of ${customers} customers have their mail.`]),
    ...(twice === 0 ? [] : [`${twice} customers have it twice.`]),
  ];
}
