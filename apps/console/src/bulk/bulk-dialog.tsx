import { useEffect, useState } from 'react';
import { useBulkPreview, useStartBulkAction } from '../api/bulk-queries.js';
import { texts } from '../texts/texts.js';
import { formatCount } from '../time/format-count.js';
import { Button } from '../ui/inputs/button.js';
import { Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/inputs/text-field.js';
import { NO_CHOICE, readChoice, type Verb } from './bulk-choice.js';
import { BulkOptions } from './bulk-options.js';
import { followAction } from './followed-action.js';
import { choiceOfOne, filterOfOne, type OneJob } from './one-job.js';
import { PreviewOfOne } from './preview-of-one.js';
import { ShownPreview } from './shown-preview.js';

const words = texts.bulk;
const SETTLED_MS = 300;

type BulkDialogProps = {
  readonly verb: Verb;
  readonly onClose: () => void;
  readonly onBegun?: () => void;
} & (
  | {
      /** Which jobs. */
      readonly filter: string;
      readonly one?: undefined;
    }
  | { readonly filter?: undefined; readonly one: OneJob }
);

/** Shows what a bulk action would do, to many jobs or to one, and begins it with that count as its limit. */
export function BulkDialog({ verb, filter, one, onClose, onBegun }: BulkDialogProps) {
  const which = one === undefined ? filter : filterOfOne(one);
  const [choice, choose] = useState(one === undefined ? NO_CHOICE : choiceOfOne(one));
  const [reason, setReason] = useState('');
  const body = readChoice(verb, which, choice);
  const asked = useSettled(JSON.stringify(body));
  const preview = useBulkPreview(JSON.parse(asked) as typeof body);
  const start = useStartBulkAction(({ id }) => {
    followAction(id);
    onBegun?.();
    onClose();
  });
  const count = preview.data?.count;
  const isSettled = JSON.stringify(body) === asked && preview.isSuccess && !preview.isPlaceholderData;
  const isRefused = one !== undefined && preview.data?.sample.some(({ refusal }) => refusal !== null) === true;
  // a preview that is refused, or finds nothing, begins nothing
  const isReady =
    body !== null && isSettled && count !== undefined && count.count > 0 && !isRefused && !start.isPending;
  function begin(): void {
    const limit = count!.isAtLeast ? {} : { atMost: count!.count };
    start.mutate({ ...body!, ...limit, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) });
  }
  const { titles, explained, keep } = one === undefined ? words : words.one;
  const shown = {
    preview: body === null ? undefined : preview.data,
    error: body === null ? null : preview.error,
    isComplete: body !== null,
  };
  return (
    <Dialog isOpen onClose={onClose} title={titles[verb]} className="w-[min(40rem,calc(100vw-1.5rem))]!">
      <p className="text-soft">{explained[verb]}</p>
      {one === undefined && (
        <p className="mt-2 flex gap-2">
          <span className="shrink-0 text-faint">{words.which}</span>
          <code className="line-clamp-2 min-w-0 font-mono text-xs leading-5 break-words" title={which}>
            {which || words.everyJob}
          </code>
        </p>
      )}
      <BulkOptions
        verb={verb}
        choice={choice}
        onChoice={choose}
        one={one}
        hasEffects={
          choice.effects !== '' || (preview.data?.refused.some(({ code }) => code === 'effect_unknown') ?? false)
        }
      />
      {one === undefined && <ShownPreview {...shown} />}
      <TextField label={texts.job.reason} value={reason} maxLength={1_000} onText={setReason} />
      {one !== undefined && <PreviewOfOne {...shown} />}
      {start.error !== null && (
        <p role="alert" className="mt-3 rounded-md bg-dead-wash px-3 py-2 text-dead">
          {start.error.message}
        </p>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{keep}</Button>
        <Button
          kind={verb === 'cancel' || verb === 'delete' ? 'danger' : 'primary'}
          disabled={!isReady}
          onClick={begin}
        >
          {one !== undefined
            ? words.one.begin[verb]
            : words.begin(
                words.verbs[verb],
                count === undefined || !isSettled
                  ? '…'
                  : texts.jobs.count(formatCount(count.count, count.isAtLeast), count.count === 1),
              )}
        </Button>
      </div>
    </Dialog>
  );
}

/** A value once it has not changed for a moment: what somebody types is not asked for letter by letter. */
function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
