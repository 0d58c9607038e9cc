import { waitUntil } from '../../kit/wait-until.js';
import type { Action, Counted, Entry, Preview } from './answers.js';
import { openScene, type Scene } from './open-scene.js';

export interface RehearseOptions {
  /** Of a fresh, migrated database. */
  readonly databaseUrl: string;
  readonly jobs: number;
  /** Called with each line of the timeline. */
  readonly say: (line: string) => void;
}

/** What was seen, for a test or a table. */
export interface Rehearsed {
  readonly previewed: number;
  readonly undone: Action;
  readonly deadAfterUndo: Counted;
  readonly retried: Action;
  /** Mails that arrived, and how many of them twice. */
  readonly arrived: number;
  readonly twice: number;
  readonly audit: readonly Entry[];
}

const ERROR = 'smtp_421';
const BATCH = 1_000;
const DEAD = `status:dead code:${ERROR}`;

/**
 * Rehearses an incident: a provider is down and jobs die of it; somebody finds them by their error, previews a retry, starts
 * it too early, undoes it, and retries again when the provider is back. Throws where something does not come about.
 */
export async function rehearseIncident({ databaseUrl, jobs, say }: RehearseOptions): Promise<Rehearsed> {
  const begunMs = performance.now();
  const tell = (line: string): void =>
    say(`${((performance.now() - begunMs) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
  const scene = await openScene(databaseUrl);
  try {
    const limits = { limitMs: 60_000 + jobs * 20, everyMs: 100 };
    await letThemDie(scene, jobs, tell, limits);
    const previewed = await findThem(scene, jobs, tell);
    const undone = await retryTooEarly(scene, previewed, tell, limits);
    const deadAfterUndo = await scene.ana.get<Counted>(count(DEAD));
    tell(`dead again: ${deadAfterUndo.text}`);
    const retried = await retryAgain(scene, jobs, tell, limits);
    const audit = await tellTheAudit(scene, tell);
    const { accepted } = scene.provider;
    const twice = [...accepted.values()].filter((times) => times > 1).length;
    return { previewed, undone, deadAfterUndo, retried, arrived: accepted.size, twice, audit };
  } finally {
    await scene.close();
  }
}

type Tell = (line: string) => void;
interface Limits {
  readonly limitMs: number;
  readonly everyMs: number;
}

const count = (filter: string): string => `/v1/jobs/count?filter=${encodeURIComponent(filter)}`;
const number = (value: number): string => value.toLocaleString('en');

async function letThemDie({ shop, ana, provider }: Scene, jobs: number, tell: Tell, limits: Limits): Promise<void> {
  tell(`the provider is down (${provider.url} answers 421), and nobody knows`);
  for (let first = 0; first < jobs; first += BATCH) {
    const size = Math.min(BATCH, jobs - first);
    await shop.post('/v1/jobs/batch', { jobs: Array.from({ length: size }, (_, n) => receipt(first + n)) });
  }
  tell(`${number(jobs)} receipts are enqueued, with one attempt each`);
  await waitUntil('Not all jobs died', async () => (await isGone(ana)) && provider.refused >= jobs, limits);
  tell(`the last of them is dead; the provider has refused ${number(provider.refused)} times`);
}

/** One attempt, or the rehearsal would have to wait for the retries of hours. */
const receipt = (n: number): object => ({
  type: 'send_receipt',
  payload: { receiptId: `rehearsed-${n}`, email: `customer-${n}@example.com`, amountCents: n, currency: 'EUR' },
  maxAttempts: 1,
});

/** Whether no job waits or runs. */
async function isGone({ get }: Scene['ana']): Promise<boolean> {
  return (await get<Counted>(count('status:queued,running,failed'))).count === 0;
}

async function findThem({ ana }: Scene, jobs: number, tell: Tell): Promise<number> {
  const page = await ana.get<{ jobs: { id: string; errorCode: string; lastError: string }[] }>(
    `/v1/jobs?limit=1&filter=${encodeURIComponent('status:dead since:1h')}`,
  );
  const [job] = page.jobs;
  if (job === undefined) throw new Error('No job is dead.');
  const { sentence } = await ana.get<{ sentence: string }>(`/v1/jobs/${job.id}/explain`);
  tell(`ana looks at one of them: ${sentence}`);
  tell(`ana finds the others: GET /v1/jobs/count?filter=${DEAD} → ${(await ana.get<Counted>(count(DEAD))).text}`);
  const preview = await ana.post<Preview>('/v1/bulk-actions/preview', { verb: 'retry', filter: DEAD });
  const { count: found, isAtLeast } = preview.count;
  tell(
    `previewed: ${number(found)}${isAtLeast ? ' or more' : ''} would be retried, ${preview.refused.length} reasons to refuse`,
  );
  if (!isAtLeast && found !== jobs) throw new Error(`The preview has ${found} jobs of ${jobs}.`);
  return found;
}

/** Starts an action and waits for its end. */
async function act({ ana }: Scene, path: string, body: object, tell: Tell, limits: Limits): Promise<Action> {
  const { id, verb } = await ana.post<Action>(path, body);
  const ended = await waitUntil(
    `The bulk action ${id} did not end`,
    async () => {
      const action = await ana.get<Action>(`/v1/bulk-actions/${id}`);
      return action.status !== 'running' && action;
    },
    limits,
  );
  const left = Object.entries(ended.refused).map(([code, n]) => `, ${number(n)} ${code}`);
  tell(`bulk action ${id}, ${verb}: ${number(ended.done)} of ${number(ended.total.count)}${left.join('')}`);
  return ended;
}

const retryAll = { verb: 'retry', filter: DEAD };

async function retryTooEarly(scene: Scene, previewed: number, tell: Tell, limits: Limits): Promise<Action> {
  const { ana, provider } = scene;
  const before = provider.refused;
  const early = await act(
    scene,
    '/v1/bulk-actions',
    { ...retryAll, reason: 'the provider says it is back' },
    tell,
    limits,
  );
  if (early.done !== previewed && previewed < 10_000) throw new Error(`${early.done} of ${previewed} were retried.`);
  await waitUntil('Nothing was tried again', () => provider.refused > before, limits);
  tell('ana sees them die again: the provider is not back');
  const undone = await act(scene, `/v1/bulk-actions/${early.id}/undo`, { reason: 'it is not back' }, tell, limits);
  await waitUntil('Something is still waiting', () => isGone(ana), limits);
  return undone;
}

async function retryAgain(scene: Scene, jobs: number, tell: Tell, limits: Limits): Promise<Action> {
  const { ana, provider } = scene;
  provider.isDown = false;
  tell('the provider is back');
  const retried = await act(scene, '/v1/bulk-actions', { ...retryAll, reason: 'the provider is back' }, tell, limits);
  await waitUntil('Not all mails arrived', async () => provider.accepted.size >= jobs && (await isGone(ana)), limits);
  const sent = [...provider.accepted.values()].reduce((sum, times) => sum + times, 0);
  tell(`${number(provider.accepted.size)} customers have their mail, of ${number(sent)} that the provider took`);
  return retried;
}

async function tellTheAudit({ ana }: Scene, tell: Tell): Promise<readonly Entry[]> {
  const { entries } = await ana.get<{ entries: Entry[] }>('/v1/audit?kind=bulk_action');
  tell('GET /v1/audit?kind=bulk_action, the oldest first:');
  for (const { at, by, verb, target, reason } of entries.toReversed())
    tell(`  ${at}  ${by}  ${verb}  bulk action ${target}${reason === null ? '' : `: ${reason}`}`);
  return entries;
}
