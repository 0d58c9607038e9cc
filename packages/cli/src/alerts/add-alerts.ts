import type { Duration } from '@duework/contracts';
import type { Alert } from '@duework/operate';
import type { AlertSeverity } from '@duework/queue-core';
import type { Command } from 'commander';
import type { OfShard } from '../operations/of-shard.js';
import { formatMoment } from '../output/format-moment.js';
import { formatRows } from '../output/format-rows.js';
import type { Cell } from '../output/format-table.js';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { PRINTED, REASON } from '../option-words.js';

const STYLES = { critical: 'red', warning: 'yellow' } as const;

/** `duework alerts` */
export function addAlerts(program: Command, { operations, look, write }: CommandParts): void {
  const alerts = program.command('alerts').description('List, silence, acknowledge and test alerts');
  alerts
    .command('list', { isDefault: true })
    .description('List the alerts that are on, and the silences')
    .option(...PRINTED)
    .action(async ({ json }: { json?: true }) => {
      const list = await (await operations()).alerts.list();
      if (json) return write(`${JSON.stringify(list, null, 2)}\n`);
      write(formatRows(['ALERT', 'SEVERITY', 'SINCE', 'TOLD', 'WHAT'], list.alerts, toRow, 'No alert is on.', look));
      for (const { key, until, by, reason } of list.silences)
        write(`${key} is silent until ${formatMoment(until)}, by ${by}${reason === null ? '' : `: ${reason}`}\n`);
    });
  alerts
    .command('silence')
    .description('Send no messages about an alert for a while')
    .argument('<key>', 'an alert: failing_job_type/send_mail, failing_job_type for all types, or * for all')
    .option('--for <duration>', 'for this long: 2h')
    .option('--end', 'end the silence')
    .option(...REASON)
    .action(async (key: string, given: { for?: string; end?: true; reason?: string }) => {
      if ((given.for === undefined) === (given.end === undefined))
        throw new PlainError('invalid_option', 'A silence needs --for with a duration, or --end.');
      const span = given.for === undefined ? null : (given.for as Duration);
      await (await operations()).alerts.silence(key, span, given.reason);
      write(
        span === null
          ? `${key} is not silent any more.\n`
          : `${key} is silent for ${span}. To end that earlier: npx duework alerts silence '${key}' --end\n`,
      );
    });
  alerts
    .command('acknowledge')
    .description('Say that you look after an alert: no more messages say that it lasts')
    .argument('<key>', 'an alert: failing_job_type/send_mail')
    .option(...REASON)
    .action(async (key: string, { reason }: { reason?: string }) => {
      await (await operations()).alerts.acknowledge(key, reason);
      write(`You have taken ${key}. Its receivers are told when it ends.\n`);
    });
  alerts
    .command('test')
    .description('Raise a test alert, to see whom it reaches')
    .option('--severity <severity>', 'critical, warning or info', 'info')
    .option(...REASON)
    .action(async ({ severity, reason }: { severity: string; reason?: string }) => {
      await (await operations()).alerts.test(severity as AlertSeverity, reason);
      write('Workers and the API tell it within about a minute, and two minutes later that it is over.\n');
    });
}

const toRow = ({ shard, ...alert }: OfShard<Alert>): Cell[] => [
  shard === undefined ? alert.key : `${shard}: ${alert.key}`,
  alert.severity === 'info' ? 'info' : { text: alert.severity, style: STYLES[alert.severity] },
  formatMoment(alert.raisedAt),
  alert.silencedUntil !== null ? 'silent' : alert.acknowledgedBy !== null ? `to ${alert.acknowledgedBy}` : 'yes',
  alert.text,
];
