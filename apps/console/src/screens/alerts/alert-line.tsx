import type { Alert } from '../../api/now-queries.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { Age, Moment } from '../../ui/marks/moment.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';
import { AlertLink } from './alert-link.js';

const words = texts.alerts;
const SHAPES = { critical: 'error', warning: 'warning', info: 'told' } as const;

interface AlertLineProps {
  readonly alert: Alert;
  readonly isBusy: boolean;
  /** null: this key may neither silence nor acknowledge. */
  readonly onSilence: ((alert: Alert) => void) | null;
  readonly onAcknowledge: () => void;
}

/** One alert: how grave, what, since when, what to look at first, and who looks after it. */
export function AlertLine({ alert, isBusy, onSilence, onAcknowledge }: AlertLineProps) {
  const { severity, text, advice, raisedAt, acknowledgedBy, silencedUntil } = alert;
  return (
    <li className="flex items-start gap-2.5 border-b border-line/70 px-3 py-2 last:border-0">
      <span className="mt-0.5">
        <SeverityShape severity={SHAPES[severity]} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <span className="sr-only">{words.severities[severity]}: </span>
          <span className="font-medium">{text}</span> <span className="text-soft">{advice}</span>
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-soft">
          <span>
            {words.since} <Age at={raisedAt} />
          </span>
          {acknowledgedBy !== null && <span>{words.lookedAfter(acknowledgedBy)}</span>}
          {silencedUntil !== null && (
            <span>
              {words.silencedUntil} <Moment at={silencedUntil} />
            </span>
          )}
          <AlertLink alert={alert} />
        </p>
      </div>
      {onSilence !== null && (
        <span className="flex shrink-0 flex-wrap justify-end gap-1.5 max-md:w-24">
          {acknowledgedBy === null && (
            <Button disabled={isBusy} onClick={onAcknowledge} title={words.acknowledgeWords}>
              {words.acknowledge}
            </Button>
          )}
          {silencedUntil === null && (
            <Button disabled={isBusy} onClick={() => onSilence(alert)}>
              {words.silence}
            </Button>
          )}
        </span>
      )}
    </li>
  );
}
