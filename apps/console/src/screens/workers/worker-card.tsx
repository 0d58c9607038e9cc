import { type ReactNode, useState } from 'react';
import type { Worker } from '../../api/now-queries.js';
import { Button } from '../../ui/inputs/button.js';
import { useMay } from '../../session/use-principal.js';
import { SlotsDialog } from './slots-dialog.js';
import { OwnLinks } from '../../links/own-links.js';
import { texts } from '../../texts/texts.js';
import { formatDuration, formatShortDuration } from '../../time/format-duration.js';
import { FilterLink } from '../../ui/filter-link.js';
import { Age } from '../../ui/marks/moment.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';
import { Slots } from '../../ui/marks/slots.js';
import { WorkerRuns } from './worker-runs.js';

const words = texts.workers;
/** From here on an event loop keeps heartbeats and answers waiting. */
const SLOW_LOOP_MS = 200;

function describeState({ state, shutBy, stalledMs, held }: Worker): string {
  if (state === 'shut') return words.shut[shutBy ?? ''] ?? shutBy ?? '';
  return state === 'stalled' ? words.stalled(formatShortDuration(stalledMs ?? 0), held) : words[state];
}

interface WorkerCardProps {
  readonly worker: Worker;
  /** The newest version of each contract. */
  readonly newest: ReadonlyMap<string, number>;
}

/** One worker: whether it is well, what it is made of, what it can run, and what it runs now. */
export function WorkerCard({ worker, newest }: WorkerCardProps) {
  const {
    name,
    host,
    pid,
    codeVersion,
    startedAt,
    seenAt,
    queues,
    types,
    slots,
    declaredSlots,
    buffered,
    loopDelayMs,
    held,
    state,
  } = worker;
  const [isOpen, open] = useState(false);
  const mayOperate = useMay('operate');
  const isWell = state === 'claims';
  const isBad = state === 'lost' || state === 'stalled';
  const ahead = slots === null ? buffered : Math.max(0, held - slots);
  return (
    <li className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
        <SeverityShape severity={isWell ? 'well' : isBad ? 'error' : 'warning'} />
        <h2 className="-ml-2 min-w-0 font-mono text-sm font-medium break-all">
          <FilterLink fields={{ worker: name }}>{name}</FilterLink>
        </h2>
        <Slots taken={held} slots={slots} />
        {declaredSlots !== null && declaredSlots !== slots && (
          <span className="text-faint">{words.declared(declaredSlots)}</span>
        )}
        <span className={isWell ? 'text-soft' : `font-medium ${isBad ? 'text-dead' : 'text-failed'}`}>
          {describeState(worker)}
        </span>
        <OwnLinks where="worker" values={{ workerId: name }} />
        {mayOperate && <Button onClick={() => open(true)}>{words.change}</Button>}
        {isOpen && <SlotsDialog worker={worker} onClose={() => open(false)} />}
        <span className="ml-auto text-soft max-md:ml-0">
          {words.seen} <Age at={seenAt} />
        </span>
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1.5 border-t border-line/70 px-3 py-2">
        <Fact name={words.fact.code}>{codeVersion ?? <span className="text-faint">{words.noCode}</span>}</Fact>
        <Fact name={words.fact.host}>{host === null ? '–' : `${host} · ${words.pid(pid ?? 0)}`}</Fact>
        <Fact name={words.fact.started}>
          <Age at={startedAt} />
        </Fact>
        <Fact name={words.fact.loop}>
          {loopDelayMs === null ? (
            '–'
          ) : (
            <span className={loopDelayMs >= SLOW_LOOP_MS ? 'font-medium text-failed' : ''}>
              {formatDuration(loopDelayMs)}
              {loopDelayMs >= SLOW_LOOP_MS && ` (${words.slowLoop})`}
            </span>
          )}
        </Fact>
        <Fact name={words.fact.buffered}>{ahead ?? '–'}</Fact>
        <Fact name={words.fact.queues}>
          {queues.map((queue, index) => (
            <span key={queue}>
              {index > 0 && ', '}
              <FilterLink fields={{ queue }}>{queue}</FilterLink>
            </span>
          ))}
        </Fact>
      </dl>
      <div className="border-t border-line/70 px-3 py-2">
        <h3 className="mb-1 text-xs text-faint">{words.types(types.length)}</h3>
        <ul className="flex flex-wrap gap-1.5">
          {types.map(({ type, oldestVersion, version }) => {
            const isBehind = (newest.get(type) ?? 0) > version;
            return (
              <li
                key={type}
                title={words.versions(oldestVersion, version)}
                className={`rounded border px-1.5 text-xs leading-5 ${isBehind ? 'border-failed/50 bg-failed-wash text-failed' : 'border-line bg-sunken'}`}
              >
                {type} <span className={isBehind ? '' : 'text-faint'}>{words.version(oldestVersion, version)}</span>
                {isBehind && ` ${words.behind(newest.get(type)!)}`}
              </li>
            );
          })}
        </ul>
      </div>
      <WorkerRuns worker={worker} />
    </li>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
