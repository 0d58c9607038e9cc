import { changeAtPaths, isSealed, type JobContract, keyIdOf, type SealedValue, toPointer } from '@duework/contracts';
import type { KeyRing } from './key-ring.js';
import { eventPlace, sealedPlace } from './sealed-place.js';

/** A payload in a stored value: `holder[key]`, and what its encrypted values are bound to. */
export interface SealedPart {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly type: string;
  readonly version: number;
  /** The event whose payload it may be; null or not given: none. */
  readonly event?: string | null;
  /** Where it lies in the payload that it is of; default: it is all of it. */
  readonly pointer?: string;
}

export interface Resealed {
  /** What was looked at: where it has changed meanwhile, nothing is to be written. */
  readonly before: string;
  readonly json: string;
  /** Whether anything of it is encrypted anew. */
  readonly isChanged: boolean;
  /** The ids of keys that the ring does not have, or that are others there. */
  readonly missing: readonly string[];
}

/** The job that carries another one, whose payload it has as a text; `forwardJob` of `@duework/shards`. */
const FORWARD = 'duework_forward';
interface Forward {
  readonly run: { readonly type: string; readonly version: number; readonly payloadJson: unknown };
}

/**
 * The JSON of a stored value with all its encrypted values under the current key of the ring. Their texts are replaced and nothing
 * else, because parsed and written again it would lose digits. `contractOf`: what its contract calls sensitive and is stored in
 * plain text is encrypted, too.
 */
export function resealJson(
  ring: KeyRing,
  json: string,
  partsOf: (root: { readonly value: unknown }) => readonly SealedPart[],
  contractOf: (type: string) => JobContract | undefined = () => undefined,
): Resealed {
  const found = new Found(ring);
  const root = { value: JSON.parse(json) as unknown };
  for (const { holder, key, type, version, event, pointer = '' } of partsOf(root))
    found.look(holder[key], { type, version, pointer, event: event ?? contractOf(type)?.subscription?.event.name });
  const anew = found.replaceIn(json);
  const missing = [...found.missing];
  const plain = { value: JSON.parse(anew) as unknown };
  if (
    !partsOf(plain)
      .map((part) => sealPlain(ring, part, contractOf(part.type)))
      .includes(true)
  )
    return { before: json, json: anew, isChanged: anew !== json, missing };
  // one that has lost digits here is not what is stored, so that it is not replaced
  return { before: JSON.stringify(root.value), json: JSON.stringify(plain.value), isChanged: true, missing };
}

type Place = Required<Pick<SealedPart, 'type' | 'version' | 'pointer'>> & { readonly event?: string | undefined };

/** What stands for each encrypted value from now on. */
class Found {
  readonly missing = new Set<string>();
  readonly #anew = new Map<string, string>();

  constructor(private readonly ring: KeyRing) {}

  look(value: unknown, place: Place): void {
    if (isSealed(value)) this.#reseal(value, place);
    else if (typeof value !== 'object' || value === null) return;
    else if (place.type === FORWARD && place.pointer === '') this.#lookInto(value as Forward, place);
    else for (const [key, item] of Object.entries(value)) this.look(item, below(place, key));
  }

  /** Each is another text than all others, because it begins with a random number. */
  replaceIn(text: string): string {
    return [...this.#anew].reduce((all, [old, anew]) => all.replaceAll(old, anew), text);
  }

  #lookInto({ run: { type, version, payloadJson } }: Forward, place: Place): void {
    const inner = (json: string): string => {
      this.look(JSON.parse(json), { type, version, pointer: '' });
      return this.replaceIn(json);
    };
    if (typeof payloadJson === 'string') inner(payloadJson);
    else if (isSealed(payloadJson))
      this.#reseal(payloadJson, { ...place, pointer: '/run/payloadJson' }, (text) =>
        JSON.stringify(inner(JSON.parse(text) as string)),
      );
  }

  #reseal(value: SealedValue, place: Place, change?: (text: string) => string): void {
    const keyId = keyIdOf(value);
    const isOld = keyId !== this.ring.currentKeyId;
    if (!isOld && change === undefined) return;
    for (const bound of placesOf(place)) {
      const text = this.ring.open(value.$sealed, bound);
      if (text === null) continue;
      const anew = change?.(text) ?? text;
      if (isOld || anew !== text) this.#anew.set(value.$sealed, this.ring.seal(anew, bound));
      return;
    }
    this.missing.add(keyId);
  }
}

/** What a value can be bound to: the type that it was enqueued as, or the event that was published. */
const placesOf = ({ type, version, pointer, event }: Place): readonly string[] =>
  [type, ...(event === undefined ? [] : [eventPlace(event)])].map((of) => sealedPlace(of, version, pointer));

const below = (place: Place, key: string): Place => ({ ...place, pointer: `${place.pointer}${toPointer([key])}` });

/** Encrypts what a contract calls sensitive and is in plain text; whether anything was. */
function sealPlain(ring: KeyRing, { holder, key, type, version }: SealedPart, contract?: JobContract): boolean {
  const paths = version === contract?.version ? contract.sensitive : (contract?.past.get(version)?.sensitive ?? []);
  let isAny = false;
  holder[key] = changeAtPaths(holder[key], paths, (value, pointer) => {
    if (isSealed(value)) return value;
    isAny = true;
    return { $sealed: ring.seal(JSON.stringify(value), sealedPlace(type, version, pointer)) };
  });
  return isAny;
}
