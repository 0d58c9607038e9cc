import type { Catalog, JobContract } from '@duework/contracts';
import { showValue } from '@duework/sql/errors';
import { declaredNames, hideValues } from '../../secrets/hide-values.js';
import { judgePayload } from './judge-payload.js';
import { stateOfVersion, type VersionState } from './state-of-version.js';

/** What a catalog would do with the stored payloads of one type and version. */
export interface PayloadGroup {
  readonly stored: 'runs' | 'schedules';
  readonly type: string;
  readonly version: number;
  readonly state: VersionState;
  readonly waiting: number;
  readonly wouldParse: number;
  readonly wouldNot: number;
  /** Those that cannot be looked into, because this process lacks their key. */
  readonly sealed: number;
  /** Why the others would not, the most frequent first; at most 20, and never a value. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
}

interface Counts {
  waiting: number;
  wouldParse: number;
  sealed: number;
  readonly reasons: Map<string, number>;
}

const MAX_REASONS = 20;
const MAX_GROUPS = 1_000;
const OTHERS = 'other reasons';

/** Parses stored payloads, one by one, and counts; its memory does not grow with them. */
export class PayloadTally {
  checked = 0;
  readonly #contracts: ReadonlyMap<string, { contract: JobContract; names: ReadonlySet<string> }>;
  /** By version and type. */
  readonly #counts = new Map<string, Counts>();

  constructor(
    readonly stored: PayloadGroup['stored'],
    catalog: Catalog,
  ) {
    this.#contracts = new Map(catalog.map((contract) => [contract.type, { contract, names: declaredNames(contract) }]));
  }

  add(type: string, version: number, payload: unknown): void {
    const counts = this.#countsOf(type, version);
    counts.waiting++;
    this.checked++;
    if (this.#stateOf(type, version) !== 'read') return;
    const { contract, names } = this.#contracts.get(type)!;
    const judged = judgePayload(contract, version, payload);
    if (judged.code === 'fits') counts.wouldParse++;
    else if (judged.code === 'key_missing') counts.sealed++;
    else if (judged.code === 'payload_not_readable')
      this.#refuse(counts, 'it was changed or moved after it was encrypted');
    else this.#refuse(counts, hideValues(judged.why, judged.plain, names));
  }

  /** Counts one that cannot be parsed at all. */
  refuse(type: string, version: number, reason: string): void {
    const counts = this.#countsOf(type, version);
    counts.waiting++;
    this.checked++;
    this.#refuse(counts, reason);
  }

  groups(): PayloadGroup[] {
    const groups = Array.from(this.#counts, ([key, { waiting, wouldParse, sealed, reasons }]): PayloadGroup => {
      const [version, type = ''] = key.split(' ', 2);
      return {
        stored: this.stored,
        type,
        version: Number(version),
        state: this.#stateOf(type, Number(version)),
        waiting,
        wouldParse,
        sealed,
        wouldNot: Array.from(reasons.values()).reduce((a, b) => a + b, 0),
        reasons: Array.from(reasons, ([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
      };
    });
    return groups.sort((a, b) => (a.type === b.type ? a.version - b.version : a.type < b.type ? -1 : 1));
  }

  #stateOf(type: string, version: number): VersionState {
    return stateOfVersion(this.#contracts.get(type)?.contract, version);
  }

  #countsOf(type: string, version: number): Counts {
    // a name that no contract can have is not shown as it is
    const name = /^\w{1,63}$/.test(type) ? type : showValue(type).replaceAll(/\s/g, '_');
    const full = this.#counts.size >= MAX_GROUPS && !this.#counts.has(`${version} ${name}`);
    const key = full ? '0 (others)' : `${version} ${name}`;
    const counts = this.#counts.get(key) ?? {
      waiting: 0,
      wouldParse: 0,
      sealed: 0,
      reasons: new Map<string, number>(),
    };
    this.#counts.set(key, counts);
    return counts;
  }

  #refuse({ reasons }: Counts, reason: string): void {
    const told = reasons.has(reason) || reasons.size < MAX_REASONS ? reason : OTHERS;
    reasons.set(told, (reasons.get(told) ?? 0) + 1);
  }
}
