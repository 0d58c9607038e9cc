import type { Catalog, FlowRules } from '@duework/contracts';

/** What holds of a rule, as gates read it; a rule that nobody has declared bounds nothing. */
export interface MemoryRule {
  /** Of a limit. */
  readonly maxUnits: number;
  /** Of a rate: the milliseconds of one unit, and how many may start at once after a rest. */
  readonly rate: { readonly unitMs: number; readonly burst: number } | null;
  /** Of an order: those behind a failed run do not wait for it. */
  readonly stepsOver: boolean;
  /** Of an order: a dead run keeps it. */
  readonly blocks: boolean;
  readonly breaker: { readonly share: number; readonly of: number; readonly pauseMs: number } | null;
}

/** What fits into the time between two looks may start at once. */
const BETWEEN_LOOKS_MS = 50;

type Declared = Partial<Record<'max' | 'perMs' | 'burst' | 'share' | 'of' | 'pauseMs', number>> &
  Partial<Record<'onFailure' | 'onDead', string>>;

const UNDECLARED = toRule('', {});

/** The flow rules of the contracts that workers have prepared for. */
export class MemoryRules {
  readonly #byType = new Map<string, FlowRules>();
  #rules = new Map<string, MemoryRule>();

  /** Where types declare a rule of one name differently, the stricter counts. */
  declare(catalog: Catalog): void {
    for (const { type, flow } of catalog) this.#byType.set(type, flow ?? []);
    const strictest = new Map<string, Declared>();
    for (const { name, declared } of [...this.#byType.values()].flat()) {
      const known = strictest.get(name);
      if (known === undefined || isStricter(declared, known)) strictest.set(name, declared);
    }
    this.#rules = new Map([...strictest].map(([name, declared]) => [name, toRule(name, declared)]));
  }

  of(name: string): MemoryRule {
    return this.#rules.get(name) ?? UNDECLARED;
  }
}

function toRule(name: string, declared: Declared): MemoryRule {
  const { max = Infinity, perMs = 0, burst = 1, share, of, pauseMs, onFailure, onDead } = declared;
  const unitMs = perMs / max;
  return {
    maxUnits: name.startsWith('limit/') ? max : Infinity,
    rate: name.startsWith('rate/') ? { unitMs, burst: Math.max(burst, Math.ceil(BETWEEN_LOOKS_MS / unitMs)) } : null,
    stepsOver: onFailure === 'step_over',
    blocks: onDead === 'block',
    breaker: share !== undefined && of !== undefined && pauseMs !== undefined ? { share, of, pauseMs } : null,
  };
}

/** Fewer at once, fewer in a time, a breaker that opens sooner and for longer, an order that waits and blocks. */
function isStricter(one: Declared, other: Declared): boolean {
  const [left, right] = [strictnessOf(one), strictnessOf(other)];
  const at = left.findIndex((value, place) => value !== right[place]);
  return at >= 0 && left[at]! < right[at]!;
}

function strictnessOf({
  max = 0,
  perMs = 1,
  burst = 0,
  share = 0,
  pauseMs = 0,
  onFailure,
  onDead,
}: Declared): number[] {
  return [max / perMs, burst, share, -pauseMs, onFailure === 'wait' ? 0 : 1, onDead === 'block' ? 0 : 1];
}
