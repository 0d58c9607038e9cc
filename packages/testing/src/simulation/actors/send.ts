import { keyedRandom, type Random } from '../world/keyed-random.js';
import type { SimulatedProcess } from '../world/simulated-process.js';
import type { World } from '../world/world.js';

/** The error of a call whose connection to the database broke. */
class ConnectionLost extends Error {
  readonly code = 'ECONNRESET';
}

/**
 * Sends a call of a process to the store: it is on its way for a while, then takes effect, then its answer is on its
 * way. At each of these moments it can fail, and its process can be stopped or die; a call that was sent takes effect
 * all the same.
 */
export function send<T>(
  { plan, time, faults, observer, trace }: World,
  caller: SimulatedProcess,
  verb: string,
  args: readonly unknown[],
  act: () => Promise<T>,
): Promise<T> {
  if (caller.isDead) return new Promise(() => {});
  observer.called(caller, verb);
  const place = caller.nextPlace(verb);
  const fault = faults.at(place, caller.options.possible);
  const random = keyedRandom(plan.seed, `${place}/delay`);
  if (fault !== null) trace(`${place} ${fault}`);
  return new Promise((resolve, reject) => {
    const arrive = (end: () => void): void =>
      wait(fault === 'slow-after' ? slow(random) : latency(random), () => caller.deliver('answer', end));
    const wait = (ms: number, callback: () => void): void => (ms === 0 ? callback() : void time.after(ms, callback));
    const lose = (): void => arrive(() => reject(new ConnectionLost(`The connection was lost during ${verb}.`)));
    const send = (): void => {
      if (fault === 'refuse') return lose();
      wait(fault === 'slow-before' ? slow(random) : latency(random), () => {
        const answered = observer.observe(caller, verb, args, act);
        if (fault === 'crash-after') caller.crash(place);
        if (fault === 'stall-after') caller.stall(place);
        if (fault === 'lose') return answered.then(lose, lose);
        return answered.then(
          (answer) => arrive(() => resolve(answer)),
          (error: Error) => arrive(() => reject(error)),
        );
      });
    };
    if (fault === 'crash-before') return caller.crash(place);
    if (fault === 'stall-before') caller.stall(place);
    caller.deliver('answer', send);
  });
}

/** A latency: often next to nothing, else a few milliseconds, seldom more. */
function latency(random: Random): number {
  const chance = random();
  return chance < 0.4 ? 0 : chance < 0.95 ? random() * 5 : random() * 60;
}

/** A delay that is long enough to endanger a lease, and short enough for the simulation to end soon. */
function slow(random: Random): number {
  return 100 + random() * 2_700;
}
