import type { NewRun } from '../ports/producer.js';
import { currentOffload, type Offload } from './current-offload.js';
import { mayNameObjects } from './object-ref.js';

/**
 * The same runs, with those whose payloads are large having a reference in its place: their objects are written first, and
 * belong to nobody until the statement of their runs commits. Those that name objects say so. Where there is nothing to
 * put, the answer is no promise, so that nobody waits. Throws `store_unavailable`; nothing is written then but objects that
 * are removed later.
 */
export function offloadRuns(runs: readonly NewRun[]): Promise<readonly NewRun[]> | readonly NewRun[] {
  const offload = currentOffload();
  if (offload === null) return runs;
  const named = runs.some(namesObjects) ? runs.map((run) => (namesObjects(run) ? withObjects(run) : run)) : runs;
  return named.some((run) => isLarge(run, offload)) ? putLarge(named, offload) : named;
}

/** How many objects one call writes at once. */
const AT_ONCE = 8;

async function putLarge(runs: readonly NewRun[], offload: Offload): Promise<readonly NewRun[]> {
  // who has no large payload loads none of it
  const { newKey, putJson } = await import('./put-object.js');
  const made = [...runs];
  const left = runs.entries();
  const put = async (): Promise<void> => {
    for (const [at, run] of left)
      if (isLarge(run, offload))
        made[at] = withObjects({ ...run, payloadJson: JSON.stringify(await putJson(newKey(), run.payloadJson)) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, put));
  return made;
}

const isLarge = ({ payloadJson: json }: NewRun, { aboveBytes }: Offload): boolean =>
  json.length * 3 > aboveBytes && Buffer.byteLength(json) > aboveBytes;

const namesObjects = ({ payloadJson, flow }: NewRun): boolean =>
  flow?.terms?.hasObjects !== true && mayNameObjects(payloadJson);

const withObjects = (run: NewRun): NewRun => ({
  ...run,
  flow: { ...run.flow, terms: { ...run.flow?.terms, hasObjects: true } },
});
