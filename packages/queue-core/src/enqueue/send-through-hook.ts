import { encodeMeta } from './encode-meta.js';
import { currentEnqueueHook, type EnqueueHook, type JobToSend, type SentJob } from './enqueue-hook.js';
import type { Meta } from '../queue/job.js';
import type { NewEvent, NewRun, PublishedEvent } from '../ports/producer.js';

/** The same for an event, which is one thing that is sent, however many jobs it makes. */
export async function publishThroughHook(
  event: NewEvent,
  send: (event: NewEvent) => Promise<PublishedEvent>,
): Promise<PublishedEvent> {
  if (currentEnqueueHook() === null) return send(event);
  let published: PublishedEvent | undefined;
  const { name: type, version, metaJson } = event;
  await sendThroughHook([{ type, version, queue: 'events', metaJson } as NewRun], async ([run]) => {
    published = await send({ ...event, metaJson: run!.metaJson });
    return [{ id: published.id ?? '', isDeduplicated: published.isDeduplicated }];
  });
  return published!;
}

type Answer = readonly SentJob[] | null;

/**
 * Has runs sent by `send`, through the hook of this process where there is one. Answers and throws as `send`, and never
 * because of the hook. `schedules` has the key of the schedule that each run is a due time of.
 */
export function sendThroughHook<T extends Answer>(
  runs: readonly NewRun[],
  send: (runs: readonly NewRun[]) => Promise<T>,
  schedules: readonly string[] = [],
): Promise<T> {
  const hook = currentEnqueueHook();
  if (hook === null) return send(runs);
  let sent: Promise<T> | null = null;
  try {
    hook(
      runs.map((run, index) => toJob(run, schedules[index] ?? null)),
      (metas = []) => (sent ??= send(runs.map((run, index) => addMeta(run, metas[index] ?? null)))),
    );
  } catch (error) {
    warnOnce(hook, error);
  }
  // kept, so that a late call of the hook sends nothing twice
  return (sent ??= send(runs));
}

const warned = new WeakSet<EnqueueHook>();

/** A broken hook is logged, but not for every job. */
function warnOnce(hook: EnqueueHook, error: unknown): void {
  if (warned.has(hook)) return;
  warned.add(hook);
  process.emitWarning(`The hook of instrumentEnqueue threw, and jobs are enqueued all the same: ${String(error)}`);
}

function toJob({ type, version, queue, metaJson }: NewRun, schedule: string | null): JobToSend {
  return { type, version, queue, meta: metaJson === null ? null : (JSON.parse(metaJson) as Meta), schedule };
}

/** The run with these texts beside its own ones, as many as fit. */
function addMeta(run: NewRun, added: Meta | null): NewRun {
  if (added === null) return run;
  let meta = run.metaJson === null ? {} : (JSON.parse(run.metaJson) as Meta);
  let { metaJson } = run;
  for (const [name, text] of Object.entries(added)) {
    if (Object.hasOwn(meta, name)) continue;
    const wider = { ...meta, [name]: text };
    try {
      metaJson = encodeMeta(wider);
    } catch {
      break;
    }
    meta = wider;
  }
  return { ...run, metaJson };
}
