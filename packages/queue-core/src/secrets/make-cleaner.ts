import { changeAtPaths, type JobContract, readPayload, type SignalContract, toPointer } from '@duework/contracts';
import { declaredNames } from './hide-values.js';
import { cleanSecrets } from './clean-secrets.js';
import { cleanValues, type PayloadValue } from './clean-values.js';
import { unsealPayload } from './unseal-payload.js';

/**
 * Cleans a text of an error before anybody keeps or shows it. `isName`: a code or a class, of which only what is sensitive
 * goes. Never throws.
 */
export type Cleaner = (text: string, isName?: boolean) => string;

/** Stands for a text that cannot be cleaned, because it cannot be told what has to go. */
const NOT_SHOWN =
  'What went wrong is not shown, because its payload could not be read, and it may quote sensitive values.';

/** Stands for a text of a job whose contract keeps none. */
const LEFT_OUT = 'What went wrong is not kept: its contract keeps the code and the class of an error alone.';

/**
 * What cleans the errors of an attempt: of the values of its payload, as it was stored and as its handler saw it, and of
 * secrets. Reads the payload when the first text comes, because nearly all attempts succeed.
 */
export function makeCleaner(
  contract: JobContract,
  run: { readonly version: number; readonly payload: unknown },
): Cleaner {
  const told = (): readonly PayloadValue[] => ofSignals.get(run) ?? [];
  let values: readonly PayloadValue[] | null | undefined;
  return (text, isName = false) => {
    if (!isName && contract.errors.text === 'left_out') return LEFT_OUT;
    if (values === undefined) values = readValues(contract, run.version, run.payload);
    if (values === null) return isName ? 'unexpected_error' : NOT_SHOWN;
    const all = [...values, ...told()];
    return cleanSecrets(cleanValues(text, isName ? all.filter(({ isSensitive }) => isSensitive) : all));
  };
}

/** What signals have told the handler of an attempt, by its run. */
const ofSignals = new WeakMap<object, PayloadValue[]>();

/** Has the errors of an attempt cleaned of what a signal has told its handler, too. */
export function noteSignal(run: object, contract: SignalContract, payload: unknown): void {
  ofSignals.set(run, [...(ofSignals.get(run) ?? []), ...valuesOfSignal(contract, payload)]);
}

/** The values of a signal; the names of its fields are none. */
export function valuesOfSignal(
  { name, sensitive }: Pick<SignalContract, 'name' | 'sensitive'>,
  payload: unknown,
): readonly PayloadValue[] {
  const found: PayloadValue[] = [];
  const declared = { has: () => true };
  const others = changeAtPaths(payload, sensitive, (value, pointer) => {
    collect(value, pointer, true, declared, found);
    return null;
  });
  collect(others, `signal ${name}`, false, declared, found);
  return found;
}

/** The sensitive values of one payload, for texts about a payload that was never stored. */
export function sensitiveValues(contract: JobContract, payload: unknown): readonly PayloadValue[] {
  const found: PayloadValue[] = [];
  const declared = declaredNames(contract);
  changeAtPaths(payload, contract.sensitiveEver, (value, pointer) => {
    collect(value, pointer, true, declared, found);
    return null;
  });
  return found;
}

/** null: it cannot be decrypted here, so that nobody knows which values a text may quote. */
function readValues(contract: JobContract, version: number, stored: unknown): readonly PayloadValue[] | null {
  try {
    const plain = unsealPayload(contract, version, stored);
    const values = valuesOf(contract, plain);
    return version === contract.version ? values : [...values, ...liftedValues(contract, version, plain)];
  } catch {
    return contract.sensitiveEver.length === 0 ? [] : null;
  }
}

function liftedValues(contract: JobContract, version: number, plain: unknown): readonly PayloadValue[] {
  try {
    const reading = readPayload(contract, version, plain);
    return reading.success ? valuesOf(contract, reading.data) : [];
  } catch {
    // a step of its past may throw anything; its handler was not called then
    return [];
  }
}

function valuesOf(contract: JobContract, payload: unknown): readonly PayloadValue[] {
  const found: PayloadValue[] = [];
  const declared = declaredNames(contract);
  const others = changeAtPaths(payload, contract.sensitiveEver, (value, pointer) => {
    collect(value, pointer, true, declared, found);
    return null;
  });
  collect(others, '', false, declared, found);
  return found;
}

function collect(
  value: unknown,
  pointer: string,
  isSensitive: boolean,
  declared: Pick<ReadonlySet<string>, 'has'>,
  into: PayloadValue[],
): void {
  if (typeof value === 'string' || typeof value === 'number') into.push({ value, pointer, isSensitive });
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const isIndex = Array.isArray(value);
    // a key that no schema declares is a value, too
    if (!isIndex && !declared.has(key)) into.push({ value: key, pointer: `${pointer}/*`, isSensitive });
    collect(item, `${pointer}${toPointer([isIndex || declared.has(key) ? key : '*'])}`, isSensitive, declared, into);
  }
}
