import type { Worker } from '../../api/now-queries.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { Age } from '../../ui/marks/moment.js';
import { useSlotsChange } from './use-slots.js';

const words = texts.workers;
type Change = Worker['changedSlots'][number];

/**
 * What was changed of the workers' slots, and who did it; each can be taken back. Nothing where nothing was changed.
 */
export function ChangedSlots({ workers }: { readonly workers: readonly Worker[] }) {
  const changes = new Map(workers.flatMap(({ changedSlots }) => changedSlots).map((change) => [change.queue, change]));
  if (changes.size === 0) return null;
  return (
    <ul className="mb-4 divide-y divide-line/70 rounded-lg border border-line bg-surface">
      {[...changes.values()].map((change) => (
        <ChangedLine key={change.queue} change={change} />
      ))}
    </ul>
  );
}

function ChangedLine({ change: { queue, slots, since, by, reason } }: { readonly change: Change }) {
  const mayOperate = useMay('operate');
  const { doing } = useSlotsChange(queue, () => {});
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="font-medium">{words.changed(queue, slots)}</span>
      <span className="text-soft">
        {by !== null && `${words.changedBy(by)} `}
        <Age at={since} />
        {reason !== null && `: ${reason}`}
      </span>
      {doing.error !== null && <span className="text-failed">{doing.error.message}</span>}
      {mayOperate && (
        <span className="ml-auto">
          <Button disabled={doing.isPending} onClick={() => doing.mutate(null)}>
            {words.takeBack}
          </Button>
        </span>
      )}
    </li>
  );
}
