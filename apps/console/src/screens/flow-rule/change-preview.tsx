import type { Schemas } from '../../api/api-types.js';
import type { FlowRule, FlowTerms } from '../../api/flow-queries.js';
import { texts } from '../../texts/texts.js';
import { formatCount } from '../../time/format-count.js';
import { formatDuration } from '../../time/format-duration.js';
import { Usage } from '../../ui/marks/usage.js';
import { spellTerms } from '../flow/spell-terms.js';
import type { ShownPreview } from './use-change-preview.js';

const words = texts.flow;

interface ChangePreviewProps {
  readonly rule: FlowRule;
  readonly preview: ShownPreview;
}

/** What a change does, before it is made. */
export function ChangePreview({ rule, preview: { data, error, isOld } }: ChangePreviewProps) {
  return (
    <section aria-label={words.preview} aria-live="polite" className="mt-4 min-h-24">
      <h3 className="text-xs font-medium text-faint">{words.preview}</h3>
      {data === undefined ? (
        <p className="mt-1 text-soft">{error === null && words.previewNothing}</p>
      ) : (
        <div className={isOld || error !== null ? 'mt-1 opacity-60' : 'mt-1'}>
          <p className="text-[0.9375rem]">
            {words.becomes(spellTerms(rule.kind, data.before), spellTerms(rule.kind, data.after))}
          </p>
          <Effects rule={rule} preview={data} />
        </div>
      )}
    </section>
  );
}

function Effects({ rule, preview }: { readonly rule: FlowRule; readonly preview: Schemas['FlowPreview'] }) {
  const { before, after, waiting, letIn, over, isAtLeast } = preview;
  if (rule.kind === 'breaker') return <p className="text-soft">{words.fromNext}</p>;
  if (letIn === null || over === null)
    return waiting > 0 && rule.keys <= 1 ? (
      <p className="text-soft">{words.takes(timeFor(waiting, after), timeFor(waiting, before))}</p>
    ) : null;
  const staying = waiting - letIn;
  return (
    <>
      {rule.keys <= 1 && (
        <p className="my-1">
          <Usage used={rule.used + letIn} max={after.max ?? 0} />
        </p>
      )}
      <ul className="list-inside list-disc text-soft">
        <li>{words.letInNow(formatCount(letIn, isAtLeast), letIn)}</li>
        {staying > 0 && <li>{words.goOn(formatCount(staying, isAtLeast), staying)}</li>}
        {over > 0 && <li>{words.over(formatCount(over), over)}</li>}
      </ul>
    </>
  );
}

const timeFor = (count: number, { max = 1, perMs = 0 }: FlowTerms): string => formatDuration((count / max) * perMs);
