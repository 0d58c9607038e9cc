import type { EffectPolicy } from '@duework/contracts';

/** Which effects have really happened, and how often a person has said "do it again". */
export class EffectLedger {
  readonly #happened = new Map<string, number>();
  readonly #approved = new Map<string, number>();
  readonly #confirmed = new Set<string>();

  constructor(private readonly violate: (promise: string, facts: string) => void) {}

  happen(key: string, policy: EffectPolicy): void {
    const times = (this.#happened.get(key) ?? 0) + 1;
    this.#happened.set(key, times);
    const allowed = 1 + (this.#approved.get(key) ?? 0);
    if (policy === 'at_most_once' && times > allowed)
      this.violate(
        'at most once: an effect that may have happened is not done again, unless a person says so',
        `${key} happened ${times} times, ${allowed} were allowed`,
      );
  }

  /** An attempt was allowed to perform the effect. */
  begin(key: string, isRepeat: boolean): void {
    if (this.has(key) && !isRepeat)
      this.violate('whoever begins an effect that has happened is told that it is a repeat', key);
  }

  /** A person has checked, and wants the effect done again. */
  approve(key: string): void {
    this.#approved.set(key, (this.#approved.get(key) ?? 0) + 1);
  }

  /** A person has checked, and says that the effect happened. */
  confirm(key: string): void {
    this.#confirmed.add(key);
  }

  /** A handler learned that the effect happened, and goes on. */
  goOn(key: string): void {
    if (!this.has(key) && !this.#confirmed.has(key))
      this.violate('once goes on only when the effect has happened', key);
  }

  has(key: string): boolean {
    return this.#happened.has(key);
  }
}
