import type { WorkflowPlace, Workflows } from '@duework/operate';
import { formatCount } from '../output/format-count.js';
import { formatMoment } from '../output/format-moment.js';
import { formatTable } from '../output/format-table.js';
import type { Look } from '../output/look.js';

/** The slowest steps of each type that are printed. */
const FEW_STEPS = 3;

/** At which steps durable jobs are, and which steps are slow. */
export function showWorkflows({ types, isComplete }: Workflows, look: Look): string {
  const places = types.flatMap(({ type, places }) =>
    places.map((place) => [
      type,
      describePlace(place),
      formatCount({ count: place.jobs, isAtLeast: place.isAtLeast }),
      formatMoment(new Date(place.since)),
      `duework jobs '${place.filter.replaceAll("'", String.raw`'\''`)}'`,
    ]),
  );
  const steps = types.flatMap(({ type, steps }) =>
    steps
      .slice(0, FEW_STEPS)
      .map(({ step, times, medianMs, p95Ms, failed }) => [
        type,
        step,
        formatMs(medianMs),
        formatMs(p95Ms),
        `${times}${failed > 0 ? `, ${failed} failed` : ''}`,
      ]),
  );
  const undoing = types.flatMap(({ type, compensations: { running, failed } }) =>
    running + failed === 0 ? [] : [`${type}: ${running} compensate, ${failed} jobs that undo have failed\n`],
  );
  return [
    formatTable(['TYPE', 'STEP', 'JOBS', 'SINCE', 'SEE THEM'], places, 'No durable job waits or runs.', look),
    isComplete ? '' : '… and more than were read\n',
    steps.length === 0 ? '' : `\n${formatTable(['TYPE', 'SLOW STEP', 'MEDIAN', 'P95', 'OF'], steps, '', look)}`,
    undoing.length === 0 ? '' : `\n${undoing.join('')}`,
  ].join('');
}

function describePlace({ step, kind, signal }: WorkflowPlace): string {
  if (kind === 'work') return step === null ? 'runs its first step' : `runs, after ${step}`;
  return signal === null || step === `wait for ${signal}` ? step! : `${step} (signal ${signal})`;
}

/** `12 ms`, `3.4 s`, `2.1 min`, `5.0 h`. */
function formatMs(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
