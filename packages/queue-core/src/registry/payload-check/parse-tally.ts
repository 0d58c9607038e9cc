import type { JobContract } from '@duework/contracts';
import { declaredNames, hidePath } from '../../secrets/hide-values.js';
import { judgePayload, type PayloadJudgement } from './judge-payload.js';
import { stateOfVersion, type VersionState } from './state-of-version.js';

/** Why payloads do not parse: where and in which way, and never what is there. */
export interface PayloadFault {
  /**
   * `invalid_payload`: a schema refuses what is at the path. `lift_threw`: a step of the past threw. `rule_threw`: a rule
   * of the schema threw. `payload_not_readable`: it was changed or moved after it was encrypted.
   */
  readonly code: Exclude<PayloadJudgement['code'], 'fits' | 'key_missing'>;
  /** RFC 6901, with `*` for indices and for keys that no schema declares; `''`: the payload itself. */
  readonly path: string;
  readonly jobs: number;
  /** One of them. */
  readonly jobId: string;
}

/** What was found of one version. */
export interface SampledVersion {
  readonly version: number;
  readonly state: VersionState;
  /** How many were looked into; the rest of these counts is of them. */
  readonly checked: number;
  readonly fits: number;
  /** Those that this process lacks the key of. */
  readonly sealed: number;
  readonly faulty: number;
  /** The most frequent first; at most 20. One job may have several. */
  readonly faults: readonly PayloadFault[];
}

type Counted = { -readonly [K in keyof SampledVersion]: SampledVersion[K] } & {
  readonly byPlace: Map<string, { -readonly [K in keyof PayloadFault]: PayloadFault[K] }>;
};

const MAX_FAULTS = 20;

/** Parses payloads of one type, one by one, and counts. */
export class ParseTally {
  readonly #contract: JobContract | undefined;
  readonly #counted = new Map<number, Counted>();

  constructor(contract: JobContract | undefined) {
    this.#contract = contract;
  }

  add(id: string, version: number, payload: unknown): void {
    const counted = this.#countedOf(version);
    counted.checked++;
    if (counted.state !== 'read') return;
    const contract = this.#contract!;
    const judged = judgePayload(contract, version, payload);
    if (judged.code === 'fits') counted.fits++;
    else if (judged.code === 'key_missing') counted.sealed++;
    else {
      counted.faulty++;
      const { code } = judged;
      const paths = code === 'invalid_payload' ? faultPaths(judged.why, declaredNames(contract)) : [''];
      for (const path of paths) note(counted, { code, path, jobs: 1, jobId: id });
    }
  }

  versions(): SampledVersion[] {
    return [...this.#counted.values()]
      .sort((a, b) => a.version - b.version)
      .map(({ byPlace, ...version }) => ({
        ...version,
        faults: [...byPlace.values()].sort((a, b) => b.jobs - a.jobs).slice(0, MAX_FAULTS),
      }));
  }

  #countedOf(version: number): Counted {
    const known = this.#counted.get(version);
    if (known !== undefined) return known;
    const state = stateOfVersion(this.#contract, version);
    const counted: Counted = {
      version,
      state,
      checked: 0,
      fits: 0,
      sealed: 0,
      faulty: 0,
      faults: [],
      byPlace: new Map(),
    };
    this.#counted.set(version, counted);
    return counted;
  }
}

function note({ byPlace }: Counted, fault: PayloadFault): void {
  const place = `${fault.code} ${fault.path}`;
  const noted = byPlace.get(place);
  if (noted === undefined) byPlace.set(place, { ...fault });
  else noted.jobs++;
}

/** Where a payload was refused, without what is there, out of the reason of `readPayload`: each path once. */
function faultPaths(why: string, declared: ReadonlySet<string>): readonly string[] {
  const parts = why
    .slice(0, MAX_READ)
    .replace(/^version \d+(?:, lifted from \d+ to \d+)?: /, '')
    .split('; ');
  return [...new Set(parts.map((part) => hidePath(/^(?:\/\S*)?/.exec(part)![0], declared)))];
}

const MAX_READ = 2_000;
