import { soon, type Clock } from '../clock.js';

/**
 * Lets the event loop turn, so that what the heartbeat has told meanwhile is received. For whoever finds a lease over, as far
 * as is known here, after the loop was blocked or an answer was slow: it may have been renewed.
 */
export async function receiveMessages(clock: Clock): Promise<void> {
  for (let phase = 0; phase < 2; phase++) await new Promise<void>((resolve) => soon(clock, resolve));
}
