import type { EffectMoment } from '../observer/history-events.js';
import { blockLoop } from './shift-clock.js';
import type { WriteEvent } from './open-history.js';

/** Which handlers to hold where, and what then happens to this process. */
export interface HoldOrder {
  readonly how: 'freeze' | 'kill';
  /** One handler for each entry. */
  readonly wanted: readonly { readonly type: string; readonly moment: EffectMoment }[];
  /** The first handler must come within this time, or nothing is done. */
  readonly firstMs: number;
  /** The others must come within this time after the first; those that came by then are enough. */
  readonly limitMs: number;
}
interface AboutRun {
  readonly run: string;
  readonly type: string;
  readonly fence: number;
}
export type HeldEffect = AboutRun & { readonly moment: EffectMoment };

export interface EffectHolder {
  /** Called at each moment of each effect, and awaited: it resolves at once, unless a handler is to be held there. */
  pass(moment: EffectMoment, about: AboutRun): Promise<void>;
  hold(order: HoldOrder): void;
}

export interface EffectHolderOptions {
  readonly write: WriteEvent;
  /** Reports the held handlers (none: nothing will happen), and calls back when the message was sent. */
  readonly tell: (held: readonly HeldEffect[], isSent: () => void) => void;
  readonly isLookedAt: (run: string) => boolean;
}

interface Trap {
  readonly order: HoldOrder;
  readonly wanted: Set<string>;
  readonly held: HeldEffect[];
  readonly goesOn: Promise<void>;
  letGo(): void;
}

/** A signal stops every thread of this process within this time, before any of its own code goes on. */
const SIGNAL_MS = 50;

/**
 * Holds handlers at moments of their effects, and freezes or kills this process when it has them. Handlers that were
 * held when it was frozen go on before the process knows of anything that happened meanwhile, as they would after a
 * frozen machine.
 */
export function createEffectHolder({ write, tell, isLookedAt }: EffectHolderOptions): EffectHolder {
  let trap: Trap | null = null;

  function spring(full: Trap): void {
    // its time limit has ended the hold already
    if (trap !== full) return;
    const { order, held, letGo } = full;
    trap = null;
    for (const effect of held) write('effect.held', { ...effect, how: order.how });
    tell(held, () => {
      if (held.length > 0) {
        process.kill(process.pid, order.how === 'kill' ? 'SIGKILL' : 'SIGSTOP');
        blockLoop(SIGNAL_MS);
      }
      letGo();
    });
  }

  return {
    async pass(moment, { run, type, fence }) {
      // only sampled runs, because nobody would see what became of the others
      if (trap === null || !isLookedAt(run) || !trap.wanted.delete(`${type} ${moment}`)) return;
      const { goesOn, held, wanted } = trap;
      held.push({ run, type, fence, moment });
      const current = trap;
      if (wanted.size === 0) spring(current);
      else if (held.length === 1) setTimeout(() => spring(current), current.order.limitMs);
      await goesOn;
    },
    hold(order) {
      let letGo = (): void => {};
      const goesOn = new Promise<void>((resolve) => (letGo = resolve));
      const wanted = new Set(order.wanted.map(({ type, moment }) => `${type} ${moment}`));
      const held: HeldEffect[] = [];
      const set: Trap = { order, wanted, held, goesOn, letGo };
      trap = set;
      setTimeout(() => held.length === 0 && spring(set), order.firstMs);
    },
  };
}
