import { useState } from 'react';
import type { Step } from '../../../api/use-steps.js';
import { useMay, usePrincipal } from '../../../session/use-principal.js';
import { useIsDone } from '../../../session/use-refusal.js';
import { texts } from '../../../texts/texts.js';
import { Button } from '../../../ui/inputs/button.js';
import { Age, Moment } from '../../../ui/marks/moment.js';
import { ApprovalCard } from './approval-card.js';
import { ChangeWaitDialog, type WaitVerb } from './change-wait-dialog.js';
import { SignalDialog } from './signal-dialog.js';
import { useApprovals } from './use-approvals.js';
import { type SignalContract, useSignals } from './use-signals.js';

const words = texts.job.waits;

/**
 * What a job waits for: since when, until when, and what may be done about it. Nothing of one that waits for nothing.
 */
export function OpenWaits({ id, steps }: { readonly id: string; readonly steps: readonly Step[] }) {
  const waiting = steps.filter(({ status }) => status === 'waiting');
  const approvals = useApprovals(
    id,
    waiting.some(({ of, kind }) => kind === 'signal' && of === APPROVAL),
  );
  const signals = useSignals(waiting.some(({ kind }) => kind === 'signal'));
  if (waiting.length === 0) return null;
  return (
    <section className="mt-6" aria-label={words.title}>
      <h2 className="mb-1.5 text-sm font-semibold">{words.title}</h2>
      <ul className="divide-y divide-line/70 rounded-md border border-line bg-surface">
        {waiting.map((step) => {
          const approval = approvals.find(({ name }) => name === step.name);
          const signal = signals.find(({ name }) => step.kind === 'signal' && name === step.of);
          return (
            <li key={step.name} className="px-3 py-2">
              <Line id={id} step={step} signal={signal} />
              {approval !== undefined && <ApprovalCard id={id} approval={approval} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** As the API names the signal of a decision. */
const APPROVAL = 'duework.approval';

interface LineProps {
  readonly id: string;
  readonly step: Step;
  /** undefined: it waits for none, or the API does not send it. */
  readonly signal: SignalContract | undefined;
}

function Line({ id, step, signal }: LineProps) {
  const { name, kind, of, key, since, until } = step;
  const [dialog, open] = useState<WaitVerb | 'signal' | null>(null);
  const mayOperate = [useMay('operate'), useIsDone('changeWait')].every(Boolean);
  // a key for some types sends no signal
  const isForAll = usePrincipal().data?.types === null;
  const maySend = [useMay('signal'), isForAll, signal !== undefined].every(Boolean);
  const verbs: WaitVerb[] = kind === 'child' ? [] : until === null ? ['fail'] : ['extend', 'skip', 'fail'];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 basis-72 break-words">
        <code className="font-mono text-xs font-medium">{name}</code>{' '}
        <span>{words.kinds[of === APPROVAL ? 'approval' : kind]}</span>{' '}
        {of !== null && of !== APPROVAL && <code className="font-mono text-xs">{of}</code>}
        {key !== null && of !== APPROVAL && <span className="text-soft"> {words.key(key)}</span>}
        <span className="block text-xs text-faint">
          {since !== null && (
            <>
              {words.since} <Age at={since} />
            </>
          )}
          {' · '}
          {until === null ? (
            words.endless
          ) : (
            <>
              {words.until} <Moment at={until} />
            </>
          )}
        </span>
      </p>
      {maySend && <Button onClick={() => open('signal')}>{words.send}</Button>}
      {mayOperate &&
        verbs.map((verb) => (
          <Button key={verb} kind="quiet" onClick={() => open(verb)}>
            {words.verbs[verb]}
          </Button>
        ))}
      {dialog === 'signal' && <SignalDialog id={id} signal={signal!} waitKey={key} onClose={() => open(null)} />}
      {dialog !== null && dialog !== 'signal' && (
        <ChangeWaitDialog id={id} step={step} verb={dialog} onClose={() => open(null)} />
      )}
    </div>
  );
}
