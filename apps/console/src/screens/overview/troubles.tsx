import { useState } from 'react';
import { useDoctor, type QueueState, type Unread, type Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { useNow } from '../../time/use-now.js';
import { SeverityShape } from '../../ui/severity-shape.js';
import { findTroubles } from './find-troubles.js';
import { TroubleLine } from './trouble-line.js';

const words = texts.overview;
/** More of them are shown on demand: figures are to be seen as well. */
const SHOWN = 6;

interface TroublesProps {
  readonly queues: readonly QueueState[];
  readonly workers: readonly Worker[];
  readonly unread: readonly Unread[];
}

/** What is wrong now, the worst first; where nothing is, that is said too. */
export function Troubles({ queues, workers, unread }: TroublesProps) {
  const findings = useDoctor().data?.findings ?? [];
  const troubles = findTroubles({ queues, workers, unread, findings, now: useNow() });
  const [isWhole, showWhole] = useState(false);
  const shown = isWhole || troubles.length <= SHOWN + 1 ? troubles : troubles.slice(0, SHOWN);
  const isWell = troubles.every(({ severity }) => severity === 'told');
  return (
    <section aria-label={words.troubles} className="overflow-hidden rounded-lg border border-line bg-surface">
      {isWell && (
        <p className="flex min-h-10 items-center gap-2.5 px-3 py-2">
          <SeverityShape severity="well" />
          <span className="font-medium">{words.well}</span>
          <span className="text-soft max-md:hidden">{words.wellHint}</span>
        </p>
      )}
      <ul>
        {shown.map((trouble) => (
          <TroubleLine key={nameOf(trouble)} trouble={trouble} />
        ))}
      </ul>
      {(shown.length < troubles.length || (isWhole && troubles.length > SHOWN + 1)) && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => showWhole(!isWhole)}
          className="w-full border-t border-line/70 px-3 py-1.5 text-left text-soft hover:bg-sunken hover:text-ink pointer-coarse:py-2.5"
        >
          {isWhole ? words.fewerTroubles : words.moreTroubles(troubles.length - shown.length)}
        </button>
      )}
    </section>
  );
}

/** The same for the same trouble, however it goes on. */
function nameOf(trouble: Parameters<typeof TroubleLine>[0]['trouble']): string {
  switch (trouble.kind) {
    case 'no_workers':
      return trouble.kind;
    case 'unread':
      return `unread ${trouble.unread.queue} ${trouble.unread.type} ${trouble.unread.version}`;
    case 'failing':
    case 'died':
    case 'retrying':
    case 'behind':
      return `${trouble.kind} ${trouble.queue.queue} ${trouble.queue.type}`;
    case 'paused':
      return `paused ${trouble.pause.kind} ${trouble.pause.name}`;
    case 'lost':
    case 'silent':
    case 'shut':
      return `${trouble.kind} ${trouble.worker.name}`;
    case 'finding':
      return `finding ${trouble.finding.code} ${trouble.finding.about}`;
  }
}
