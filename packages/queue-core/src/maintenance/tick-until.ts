import type { Engine } from '../worker/engine.js';
import type { Ticker } from '../ports/schedules.js';
import { spreadPoll } from '../clock.js';

/**
 * Without a wake-up, a schedule that was just saved with a due time sooner than all others is seen within this time.
 */
const MAX_IDLE_MS = 2_000;
const MAX_LISTENING_IDLE_MS = 10_000;
const MIN_IDLE_MS = 10;
const RETRY_MS = 1_000;

type Needs = Pick<Engine, 'clock' | 'random' | 'report' | 'emit' | 'name' | 'leases' | 'alarm' | 'tickAlarm'>;

/** Ticks when the next due time has come, and makes the poll loop claim what fired at once. */
export async function tickUntil(signal: AbortSignal, engine: Needs, ticker: Ticker): Promise<void> {
  const maxIdleMs = engine.leases.isListening ? MAX_LISTENING_IDLE_MS : MAX_IDLE_MS;
  signal.addEventListener('abort', () => engine.tickAlarm.ring(), { once: true });
  while (!signal.aborted) {
    let waitMs = RETRY_MS;
    const mark = engine.tickAlarm.mark();
    try {
      const { fired, nextTickInMs } = await ticker.tick(signal);
      engine.report.succeeded('tick');
      if (fired > 0) engine.alarm.ring();
      // workers that started together do not tick together
      waitMs = Math.max(MIN_IDLE_MS, Math.min(nextTickInMs ?? Infinity, spreadPoll(maxIdleMs, engine.random())));
    } catch (error) {
      engine.report.failed('tick', error);
    }
    await engine.tickAlarm.wait(mark, waitMs, engine.clock);
  }
}
