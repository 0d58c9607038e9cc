import { useState } from 'react';
import { useAlerts, type Alert, type AlertSilence } from '../../api/now-queries.js';
import { useMay } from '../../session/use-principal.js';
import { texts } from '../../texts/texts.js';
import { Button } from '../../ui/inputs/button.js';
import { SeverityShape } from '../../ui/marks/severity-shape.js';
import { Moment } from '../../ui/marks/moment.js';
import { ProblemState } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { AlertLine } from './alert-line.js';
import { SilenceDialog } from './silence-dialog.js';
import { useAlertVerbs } from './use-alert-verbs.js';

const words = texts.alerts;

/** The alerts that are on, the gravest first, and the silences: who looks after one, and of which nobody is told. */
export function AlertsScreen() {
  const { data, error, refetch } = useAlerts();
  const mayOperate = useMay('operate');
  const verbs = useAlertVerbs();
  const [silenced, silence] = useState<Alert | null>(null);
  usePageTitle(words.title);
  if (data === undefined) return error === null ? null : <ProblemState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="mx-auto max-w-5xl px-5 py-4 max-md:px-3">
      <div className="mb-3 flex items-center gap-3">
        <h1 className="text-base font-semibold">{words.title}</h1>
        {mayOperate && (
          <Button className="ml-auto" disabled={verbs.isBusy} onClick={verbs.test}>
            {words.test}
          </Button>
        )}
      </div>
      {verbs.error !== null && (
        <p role="alert" className="mb-3 rounded-md bg-dead-wash px-3 py-2 text-dead">
          {verbs.error.message}
        </p>
      )}
      <section aria-label={words.on} className="overflow-hidden rounded-lg border border-line bg-surface">
        {data.alerts.length === 0 ? (
          <p className="flex min-h-10 items-center gap-2.5 px-3 py-2">
            <SeverityShape severity="well" />
            <span className="font-medium">{words.none}</span>
            <span className="text-soft max-md:hidden">{words.noneHint}</span>
          </p>
        ) : (
          <ul>
            {data.alerts.map((alert) => (
              <AlertLine
                key={alert.key}
                alert={alert}
                isBusy={verbs.isBusy}
                onSilence={mayOperate ? silence : null}
                onAcknowledge={() => verbs.acknowledge(alert.key)}
              />
            ))}
          </ul>
        )}
      </section>
      {data.silences.length > 0 && (
        <Silences silences={data.silences} isBusy={verbs.isBusy} onEnd={mayOperate ? verbs.endSilence : null} />
      )}
      {silenced !== null && <SilenceDialog alert={silenced} onClose={() => silence(null)} />}
    </div>
  );
}

interface SilencesProps {
  readonly silences: readonly AlertSilence[];
  readonly isBusy: boolean;
  /** null: this key may not end one. */
  readonly onEnd: ((key: string) => void) | null;
}

function Silences({ silences, isBusy, onEnd }: SilencesProps) {
  return (
    <section className="mt-5">
      <h2 className="mb-1.5 text-sm font-semibold">{words.silences}</h2>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface">
        {silences.map(({ key, until, by, reason }) => (
          <li
            key={key}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line/70 px-3 py-2 last:border-0"
          >
            <span className="font-mono text-xs break-all">{key === '*' ? words.all : key}</span>
            <span className="text-soft">
              {words.until} <Moment at={until} /> {words.by(by, reason)}
            </span>
            {onEnd !== null && (
              <Button className="ml-auto" disabled={isBusy} onClick={() => onEnd(key)}>
                {words.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
