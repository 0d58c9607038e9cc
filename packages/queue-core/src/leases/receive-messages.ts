import { soon, type Clock } from '../clock.js';

/**
 * Lets the event loop turn, so that the heartbeat's messages are received. After the loop was blocked or an answer was
 * slow, a lease may look over here although it was renewed: the message that says so still waits.
 */
export async function receiveMessages(clock: Clock): Promise<void> {
  for (let phase = 0; phase < 2; phase++) await new Promise<void>((resolve) => soon(clock, resolve));
}
