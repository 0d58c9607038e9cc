import type { PlacedId } from '../jobs/job-id.js';
import { tokenOf, type Queues } from '../redis/queues.js';

/** What BullMQ answers where a lock is missing or another's, or the job is not there, or no longer active. */
const MISSING = -2;
const LOST: ReadonlySet<unknown> = new Set([-1, MISSING, -3, -6]);
/** How long a lease lasts that is taken up again only to settle. */
const RETAKEN_MS = 3_000;

/** Whether a verb with a token was done; false: that token holds the job no more. */
export async function unlessLost(verb: Promise<unknown>): Promise<boolean> {
  return (await codeOf(verb)) === null;
}

/** The same for the claim of a run, which may settle it after its lease, as long as nobody else has taken it. */
export async function settleUnlessLost(
  queues: Queues,
  run: PlacedId & { readonly fence: number },
  token: string,
  verb: () => Promise<unknown>,
): Promise<boolean> {
  const code = await codeOf(verb());
  if (code !== MISSING || token !== tokenOf(run, run.fence)) return code === null;
  const keys = [queues.jobKey(run), queues.lockKey(run), queues.of(run.queue).keys.active!] as const;
  if ((await queues.redis.dueworkRetake(...keys, run.id, run.fence, RETAKEN_MS, token)) !== 1) return false;
  return unlessLost(verb());
}

async function codeOf(verb: Promise<unknown>): Promise<unknown> {
  try {
    await verb;
    return null;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (LOST.has(code)) return code;
    throw error;
  }
}
