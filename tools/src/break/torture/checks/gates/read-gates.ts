import type { Evidence, GateChange, GateRule, GateState } from '../../observer/evidence.js';
import { groupBy } from '../group-by.js';

/** A run at a gate, from one commit to another; `to` is Infinity where it is there to the end. */
export interface Span {
  readonly run: string;
  readonly units: number;
  readonly from: number;
  readonly to: number;
}

/** A run that was let in, as its gates saw it. */
export interface LetIn {
  readonly run: string;
  readonly units: number;
  /** When it was decided. */
  readonly at: number;
  /** When the statement that decided began: what was committed before that could be seen. */
  readonly beganAt: number;
}

/** What happened at a key. */
export interface Gate {
  readonly key: string;
  readonly kind: string;
  readonly rule: GateRule;
  /** Who has it: from being let in to the end, or until it is held again. */
  readonly holds: Span[];
  /** Who waits there and is due. */
  readonly waits: Span[];
  readonly letIn: LetIn[];
}

/** Everything that happened at each key, as the commits of the witness tell it. */
export function readGates({ gateChanges, gateRules }: Pick<Evidence, 'gateChanges' | 'gateRules'>): Gate[] {
  const gates = new Map<string, Gate>();
  const rules = new Map(gateRules.map((rule) => [rule.name, rule]));
  const gateOf = (key: string): Gate => {
    let gate = gates.get(key);
    if (gate === undefined) {
      const [kind = '', name = ''] = key.split('/');
      const rule = rules.get(`${kind}/${name}`) ?? { name: key, max: null, unitMs: null, burst: null };
      gates.set(key, (gate = { key, kind, rule, holds: [], waits: [], letIn: [] }));
    }
    return gate;
  };
  for (const [run, ofRun] of groupBy(gateChanges, (change) => change.run)) readRun(run, ofRun, gateOf);
  return [...gates.values()];
}

function readRun(run: string, changes: readonly GateChange[], gateOf: (key: string) => Gate): void {
  let state: GateState | null = null;
  let gates: NonNullable<GateChange['gates']> = [];
  const steps = [...groupBy(changes, ({ tx }) => tx).values()];
  for (const [index, ofOne] of steps.entries()) {
    const [first] = ofOne as [GateChange];
    const before: GateState | null = state;
    state = lastState(ofOne, before);
    gates = ofOne.find((change) => change.gates !== null)?.gates ?? gates;
    if (state === null) continue;
    const span = { run, from: first.at, to: steps[index + 1]?.[0]?.at ?? Infinity };
    for (const { key, units } of gates) {
      const gate = gateOf(key);
      if (holds(key, state)) gate.holds.push({ ...span, units });
      if (before !== null && !holds(key, before) && holds(key, state))
        gate.letIn.push({ run, units, at: state.heldBy === null ? state.runAt : first.at, beganAt: first.beganAt });
      const from = Math.max(span.from, state.runAt);
      if (state.heldBy === key && from < span.to) gate.waits.push({ ...span, from, units });
    }
  }
}

/** An order is kept while a run waits at the gates behind it. */
const holds = (key: string, { heldBy }: GateState): boolean =>
  key.startsWith('order/') ? heldBy !== key : heldBy === null;

/**
 * What a transaction has made of a run. Where it changed it twice, the trigger of the outer statement comes after that of
 * the function that it called, so that each change is found by what it changed.
 */
function lastState(changes: readonly GateChange[], before: GateState | null): GateState | null {
  const left = [...changes];
  let state = before;
  while (left.length > 0) {
    const next = left.findIndex(
      ({ from }) =>
        from?.heldBy === state?.heldBy && from?.status === state?.status && (from === null) === (state === null),
    );
    state = left.splice(Math.max(0, next), 1)[0]!.to;
  }
  return state;
}
