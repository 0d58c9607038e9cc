import type { Place } from '../servers/make-place.js';
import type { BenchPostgres } from '../servers/start-bench-postgres.js';
import type { Size } from '../sizes.js';
import type { Adapter, System, SystemName } from '../systems/system.js';

/** The values that all turns of a run share. */
export interface Lab {
  readonly postgres: BenchPostgres;
  /** Waits until the loaded rows are written and analysed, so that neither is measured. */
  settle(place: Place): Promise<void>;
}

/** The values of a turn by the keys of the measure's figures; null: it cannot be measured here. */
export type Values = Readonly<Record<string, number | null>>;

/** The target of a figure of Duework. */
export type Target =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  /** A multiple of the same figure of another system or of the best rival, in this measure or in another one. */
  | {
      readonly times: number;
      readonly of: SystemName | 'best' | 'own';
      readonly in?: string;
      readonly called?: string;
    };

/** One line of the report. */
export interface Figure {
  readonly key: string;
  /** Indented where it details the line above. */
  readonly title: string;
  readonly unit: string;
  readonly isLessBetter?: true;
  readonly targets?: readonly Target[];
}

/** One system's turn at one measure. */
export interface Turn {
  readonly system: System;
  readonly lab: Lab;
  readonly place: Place;
  /** A fresh place as the system itself leaves it, without what the measure prepares; the caller drops it. */
  readonly openEmpty: () => Promise<Place>;
  /** Counted from 0. */
  readonly round: number;
  readonly size: Size;
  /** The name for messages: the system and the measure. */
  readonly name: string;
}

interface Preparation {
  readonly adapter: Adapter;
  readonly system: System;
  readonly url: string;
  readonly size: Size;
}

/** A measure that every system goes through. */
export interface Measure {
  readonly name: string;
  /** Measures of one group are requested together, by its name. */
  readonly group?: string;
  /** Left out of quick runs. */
  readonly isLong?: true;
  readonly figures: readonly Figure[];
  /** The number of rounds, however many are requested. */
  readonly maxRounds?: number;
  /** Whether a system takes part; every one does unless given. `isAsked`: the measure was requested by name. */
  takes?(system: System, options: { readonly isAsked: boolean }): boolean;
  /** Adds more to a place than the system's own tables. */
  prepare?(preparation: Preparation): Promise<void>;
  run(turn: Turn): Promise<Values>;
}
