import { pause } from '../clock.js';
import type { Engine } from '../worker/engine.js';
import { writeFigures } from './write-figures.js';

/** The share of a minute within which workers write the last one, so that they do not all do so at once. */
const SPREAD = 0.2;

type Needs = Pick<Engine, 'store' | 'figures' | 'clock' | 'random' | 'report'>;

/**
 * Ends each minute when it is over on the store's clock, of which each write tells, and writes it a little later. The
 * first write only asks for the clock.
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
    const nowMs = clock.monotonicMs() + (offsetMs ?? 0);
    const leftMs = minuteMs - (nowMs % minuteMs);
    await pause(clock, leftMs, signal);
    if (signal.aborted) return;
    figures.endMinute(offsetMs === null ? null : Math.round(nowMs + leftMs - minuteMs));
    await pause(clock, minuteMs * SPREAD * random(), signal);
  }
}
