import type { Settlement } from '../../ports/runs.js';

/** Of a batch whose runs have gates: what their ends tell of them, as `duework.let_in` takes it; null: nothing. */
export type GatesSettled = { readonly notes: string | null } | null;

/** By key: for how many milliseconds it is shut, and how many attempts behind it have succeeded and failed. */
export type GateNotes = Readonly<Record<'shut' | 'succeeded' | 'failed', Readonly<Record<string, number>>>>;

/** As the statements of settlements take it. Not given: the batch has no gates. */
export function noteGates(batch: readonly Settlement[]): GatesSettled {
  if (batch[0]?.gates === undefined) return null;
  const notes = notesOf(batch);
  const isEmpty = Object.values(notes).every((counts) => Object.keys(counts).length === 0);
  return { notes: isEmpty ? null : JSON.stringify(notes) };
}

/**
 * What the ends of attempts tell of gates: which are shut, and for how long, and how many attempts behind each breaker
 * have succeeded and failed.
 */
export function notesOf(batch: readonly Settlement[]): GateNotes {
  const notes: Record<keyof GateNotes, Record<string, number>> = { shut: {}, succeeded: {}, failed: {} };
  for (const settlement of batch) {
    const { gates = [] } = settlement;
    if (settlement.kind === 'snooze' && settlement.shutMs !== undefined)
      for (const gate of gatesToShut(gates)) notes.shut[gate] = Math.max(notes.shut[gate] ?? 0, settlement.shutMs);
    const told = toldOf(settlement);
    if (told === null) continue;
    for (const gate of gates) if (gate.startsWith('breaker/')) notes[told][gate] = (notes[told][gate] ?? 0) + 1;
  }
  return notes;
}

/** The rates of a run; its limits where it has no rates. */
export function gatesToShut(gates: readonly string[]): readonly string[] {
  const rates = gates.filter((gate) => gate.startsWith('rate/'));
  return rates.length > 0 ? rates : gates.filter((gate) => gate.startsWith('limit/'));
}

/** An attempt that ended for good by what it was given tells nothing of what it needs. */
function toldOf(settlement: Settlement): 'succeeded' | 'failed' | null {
  if (settlement.kind === 'complete') return 'succeeded';
  return settlement.kind === 'fail' || (settlement.kind === 'bury' && settlement.isSpent === true) ? 'failed' : null;
}
