import type { Place } from '../servers/make-place.js';
import type { Size } from '../sizes.js';
import type { Adapter, System, SystemName } from '../systems/system.js';
import type { Lab } from './lab.js';

/** The values of a turn by the keys of the measure's figures; null: it cannot be read here. */
export type Values = Readonly<Record<string, number | null>>;

/** What a figure of Duework is held against. */
export type Target =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  /** So many times the same figure of another system or of the best rival, of this measure or of another one. */
  | {
      readonly times: number;
      readonly of: SystemName | 'best' | 'own';
      readonly in?: string;
      readonly called?: string;
    };

/** One line of the report. */
export interface Figure {
  readonly key: string;
  /** Indented where it says more about the line above. */
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
  /** From 0. */
  readonly round: number;
  readonly size: Size;
  /** For messages: the system and the measure. */
  readonly name: string;
}

export interface Preparation {
  readonly adapter: Adapter;
  readonly system: System;
  readonly url: string;
  readonly size: Size;
}

/** Something that is measured of each system. */
export interface Measure {
  readonly name: string;
  /** Those of a group are asked for together, by its name. */
  readonly group?: string;
  /** Measured only when it is asked for. */
  readonly isExtra?: true;
  readonly figures: readonly Figure[];
  /** However many rounds are asked for. */
  readonly maxRounds?: number;
  /** Whether a system takes part; every one does unless given. `isAsked`: the measure was asked for by name. */
  takes?(system: System, options: { readonly isAsked: boolean }): boolean;
  /** Puts more into a place than the system's own tables. */
  prepare?(preparation: Preparation): Promise<void>;
  run(turn: Turn): Promise<Values>;
}
