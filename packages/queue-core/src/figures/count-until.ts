import { pause, spreadPoll } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import { writeFigures } from './write-figures.js';

/** The share of a minute within which workers write the last one, so that they do not all do so at once. */
const SPREAD = 0.2;
/** How often in a minute a worker looks whether it should not wait for the minute's end. */
const LOOKS = 6;

type Needs = Pick<Engine, 'store' | 'figures' | 'clock' | 'random' | 'report'>;

/**
 * Ends each minute when it is over on the store's clock, of which each write tells, and writes it a little later. What is
 * news is written before, so that the beginning of an incident is seen while it begins. The first write only asks for the clock.
 */
export async function countUntil(signal: AbortSignal, engine: Needs, minuteMs: number): Promise<void> {
  const { figures, clock, random, report } = engine;
  if (figures === null) return;
  /** The store's clock minus this process's; null: it is not known. */
  let offsetMs: number | null = null;
  while (!signal.aborted) {
    try {
      const sentMs = clock.monotonicMs();
      offsetMs = (await writeFigures(engine)) - sentMs;
      report.succeeded('figures');
    } catch (error) {
      report.failed('figures', error);
    }
    const { startMs, isOver } = await pauseUntilDue(signal, engine, minuteMs, offsetMs ?? 0);
    if (signal.aborted) return;
    figures.endMinute(offsetMs === null ? null : Math.round(startMs));
    if (isOver) await pause(clock, minuteMs * SPREAD * random(), signal);
  }
}

/** Waits until the minute is over, or until there is news; says which minute that was. */
async function pauseUntilDue(
  signal: AbortSignal,
  { figures, clock, random }: Needs,
  minuteMs: number,
  offsetMs: number,
): Promise<{ readonly startMs: number; readonly isOver: boolean }> {
  const nowMs = (): number => clock.monotonicMs() + offsetMs;
  const startMs = nowMs() - (nowMs() % minuteMs);
  const endMs = startMs + minuteMs;
  for (;;) {
    const leftMs = endMs - nowMs();
    const untilLookMs = spreadPoll(minuteMs / LOOKS, random());
    const isOver = leftMs <= untilLookMs;
    await pause(clock, isOver ? leftMs : untilLookMs, signal);
    if (isOver || signal.aborted || figures!.hasNews) return { startMs, isOver };
  }
}
