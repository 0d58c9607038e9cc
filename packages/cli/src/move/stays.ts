/** So many jobs of a name that stay where they are, and why. */
export interface StayingJobs {
  readonly name: string;
  readonly why: string;
  readonly jobs: number;
  /** The ids of the first ones. */
  readonly ids: readonly string[];
}

const MOST_IDS = 1_000;

/** What stays, by its reasons. */
export class Stays {
  readonly #all = new Map<string, { name: string; why: string; jobs: number; ids: string[] }>();

  /** So many whose ids nobody knows. */
  count(name: string, why: string, jobs: number): void {
    this.#entry(name, why).jobs += jobs;
  }

  add(name: string, why: string, id: string): void {
    const entry = this.#entry(name, why);
    entry.jobs++;
    if (entry.ids.length < MOST_IDS) entry.ids.push(id);
  }

  #entry(name: string, why: string) {
    const key = JSON.stringify([name, why]);
    const entry = this.#all.get(key) ?? { name, why, jobs: 0, ids: [] };
    this.#all.set(key, entry);
    return entry;
  }

  list(): readonly StayingJobs[] {
    return [...this.#all.values()];
  }
}
