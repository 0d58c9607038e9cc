import { useState } from 'react';
import type { FlowRule } from '../../api/flow-queries.js';
import { useAlerts, useDoctor, type QueueState, type Unserved, type Worker } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { useNow } from '../../time/use-now.js';
import { Button } from '../../ui/inputs/button.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';
import { useHold } from '../../ui/use-hold.js';
import { findTroubles, type Trouble } from './find-troubles.js';
import { holdTroubles, type HeldTroubles } from './hold-troubles.js';
import { TroubleLine } from './trouble-line.js';

const words = texts.overview;
/** More of them are shown on demand: figures are to be seen as well. */
const SHOWN = 6;

interface TroublesProps {
  readonly queues: readonly QueueState[];
  readonly workers: readonly Worker[];
  readonly unserved: readonly Unserved[];
  readonly rules: readonly FlowRule[];
  /** false: this queue does not know who works for it. */
  readonly areWorkersKnown: boolean;
  /** Somebody is about to press something below, which a longer list would move. */
  readonly isHeldBelow: boolean;
}

/** What is wrong now, the worst first; where nothing is, that is said too. No line moves under a pointer. */
export function Troubles({ queues, workers, unserved, rules, areWorkersKnown, isHeldBelow }: TroublesProps) {
  const findings = useDoctor().data?.findings ?? [];
  const alerts = useAlerts().data?.alerts ?? [];
  const fresh = findTroubles({ queues, workers, unserved, rules, findings, alerts, now: useNow() });
  const { isHeld, holdProps } = useHold<HTMLDivElement>();
  const { lines, newer, release } = useHeldTroubles(fresh, isHeld || isHeldBelow);
  const [isWhole, showWhole] = useState(false);
  const shown = isWhole || lines.length <= SHOWN + 1 ? lines : lines.slice(0, SHOWN);
  const isWell = lines.every(({ trouble }) => trouble.severity === 'told');
  const wrong = fresh.filter(({ severity }) => severity !== 'told').length;
  return (
    <div {...holdProps} className="relative">
      <section aria-label={words.troubles} className="overflow-hidden rounded-lg border border-line bg-surface">
        {isWell && (
          <p className="flex min-h-10 items-center gap-2.5 px-3 py-2">
            <SeverityShape severity="well" />
            <span className="font-medium">{words.well}</span>
            <span className="text-soft max-md:hidden">{areWorkersKnown ? words.wellHint : words.wellHintOfQueue}</span>
          </p>
        )}
        <ul>
          {shown.map(({ name, trouble, isOver }) => (
            <TroubleLine key={name} trouble={trouble} isOver={isOver} />
          ))}
        </ul>
        {(shown.length < lines.length || (isWhole && lines.length > SHOWN + 1)) && (
          <button
            type="button"
            aria-expanded={isWhole}
            onClick={() => showWhole(!isWhole)}
            className="w-full border-t border-line/70 px-3 py-1.5 text-left text-soft hover:bg-sunken hover:text-ink pointer-coarse:py-2.5"
          >
            {isWhole ? words.fewerTroubles : words.moreTroubles(lines.length - shown.length)}
          </button>
        )}
      </section>
      {newer > 0 && (
        <div className="absolute inset-x-0 -bottom-5 z-10 flex justify-center">
          <Button kind="primary" className="rounded-full! shadow-raised" onClick={release}>
            {words.newTroubles(newer)}
          </Button>
        </div>
      )}
      <p role="status" className="sr-only">
        {words.wrongNow(wrong)}
      </p>
    </div>
  );
}

/** The troubles, which stay at their places while `isHeld`. `release` shows those that have come since. */
function useHeldTroubles(fresh: readonly Trouble[], isHeld: boolean): HeldTroubles & { readonly release: () => void } {
  const [held, setHeld] = useState<readonly Trouble[] | null>(null);
  if (isHeld && held === null) setHeld(fresh);
  if (!isHeld && held !== null) setHeld(null);
  return { ...holdTroubles(isHeld ? held : null, fresh), release: () => setHeld(fresh) };
}
