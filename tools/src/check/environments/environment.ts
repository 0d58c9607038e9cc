import type { Lab } from './lab.js';

/** Where the scenario is run, and what has to come of it. */
export interface Prepared {
  readonly url: string;
  /** Past the pooler; else it is `url`. */
  readonly directUrl?: string;
  /** What it is refused with, by migrate or the worker; else it works. */
  readonly refusal?: RegExp;
  /** Ends what was started for it. */
  readonly close?: () => void;
}

export interface Environment {
  readonly name: string;
  /** Every change runs it. */
  readonly isQuick?: true;
  prepare(lab: Lab, database: string): Promise<Prepared>;
}
