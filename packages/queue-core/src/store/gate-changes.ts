import { offloadedIn } from '../objects/object-ref.js';
import { readOffloaded } from '../objects/read-offloaded.js';
import { randomUUID } from 'node:crypto';
import type { Catalog, JobContract } from '@duework/contracts';
import type { Queryable } from '@duework/sql';
import { gatesAnew, hasGatesOf, type Stored } from '../flow/gates-anew.js';
import type { Claim, ClaimRequest, ClaimedRun } from '../ports/runs.js';
import type { GatesGiven } from '../ports/upkeep.js';
import {
  changeClaimedGates,
  takeGates,
  writeGates,
  type FlowDefinition,
  type GateChange,
  type WaitingRun,
} from '../sql/flow/change-gates.js';
import { storedFlow } from '../sql/registry/stored-flow.js';
import { registerDefinitions } from '../sql/registry/register-definitions.js';

/** How often a portion comes again of which somebody has rows. */
const MOST_TRIES = 20;

/**
 * The gates of runs that programs of other rules have enqueued. Where a deploy has changed the rules of a type, those that wait
 * get theirs anew (`give`), and none of the type is claimed before (`narrow`). Of what comes from such a program later the
 * claim is taken back before a handler begins (`check`).
 */
export class GateChanges {
  readonly #taker = randomUUID();
  #worker: string | null = null;
  #catalog: Catalog = [];
  #contractOf: ReadonlyMap<string, JobContract> = new Map();
  #definitions: readonly FlowDefinition[] = [];
  /** Of which runs are still to get their gates. */
  #changing: ReadonlySet<string> = new Set();
  /** Whether somebody may have noted a type, or registered other rules, meanwhile: the next call asks. */
  #isToAsk = false;
  #tries = 0;
  #narrowed: { from: ClaimRequest['contracts']; to: ClaimRequest['contracts'] } | null = null;

  /** `onOpened`: types may be claimed that were not. */
  constructor(
    private readonly db: Queryable,
    private readonly onOpened: () => void,
  ) {}

  /** Registers the definitions of a catalog. */
  async register(catalog: Catalog): Promise<void> {
    const registered = await registerDefinitions(this.db, catalog);
    this.registered(
      catalog,
      registered.filter(({ isChanging }) => isChanging).map(({ type }) => type),
    );
  }

  /** The definitions of a catalog are registered. `changing`: the types whose runs are still to get their gates. */
  registered(catalog: Catalog, changing: readonly string[]): void {
    this.#catalog = catalog;
    this.#contractOf = new Map(catalog.map((contract) => [contract.type, contract]));
    this.#definitions = catalog.map((contract) => ({
      type: contract.type,
      version: contract.version,
      ...storedFlow(contract),
    }));
    this.#setChanging(changing);
  }

  /** The worker whose store this is has said its name. When it says so again, somebody may have registered other rules. */
  named(worker: string): void {
    this.#isToAsk ||= this.#worker !== null;
    this.#worker = worker;
  }

  /** A request without the types whose runs are still to get their gates. */
  narrow<TRequest extends Pick<ClaimRequest, 'contracts'>>(request: TRequest): TRequest {
    if (this.#changing.size === 0) return request;
    if (this.#narrowed?.from !== request.contracts) {
      const to = new Map([...request.contracts].filter(([type]) => !this.#changing.has(type)));
      this.#narrowed = { from: request.contracts, to };
    }
    return { ...request, contracts: this.#narrowed.to };
  }

  /** A claim without the runs that have the gates of other rules: they are given back with their own, uncharged. */
  async check(claim: Claim): Promise<Claim> {
    const strange = claim.runs.filter((run) => {
      const contract = this.#contractOf.get(run.type);
      return contract !== undefined && !hasGatesOf(contract, run);
    });
    if (strange.length === 0) return claim;
    const changes = strange.flatMap((run) => this.#changeOf(run, run.gates, null, run.fence) ?? []);
    // whoever was claimed with one that comes before it in an order waits for that one
    const orders = new Set(changes.flatMap(({ gates }) => gates?.filter((gate) => gate.startsWith('order/')) ?? []));
    const behind = claim.runs.filter((run) => !strange.includes(run) && run.gates?.some((gate) => orders.has(gate)));
    changes.push(...behind.flatMap((run) => this.#changeOf(run, null, null, run.fence) ?? []));
    if (changes.length === 0) return claim;
    const changed = new Set(await changeClaimedGates(this.db, this.#definitionsOf(changes), inOrder(changes)));
    const runs = claim.runs.filter(({ id }) => !changed.has(id));
    return { ...claim, runs, dueInMs: runs.length === 0 ? 0 : claim.dueInMs, isPartial: true };
  }

  /** Gives the next portion of the runs that wait their gates; null: there are none. */
  async give(): Promise<GatesGiven | null> {
    if (this.#changing.size === 0 && !this.#isToAsk) return null;
    const portion = await takeGates(this.db, this.#definitions, this.#taker, this.#worker);
    const { types, busy, upto, overruled } = portion;
    if (overruled.length > 0) {
      await this.register(this.#catalog);
      return { types: overruled, looked: 0, changed: 0, unusable: 0, state: 'busy' };
    }
    this.#isToAsk = false;
    this.#setChanging([...(types ?? []), ...busy]);
    if (types === null)
      return busy.length === 0 ? null : { types: busy, looked: 0, changed: 0, unusable: 0, state: 'busy' };
    let unusable = 0;
    const changes: GateChange[] = [];
    for (const [id, type, version, queue, gates, units, stored] of portion.runs as readonly WaitingRun[]) {
      // one at a time, because each may be large; one that cannot be read makes no gates
      const payload = offloadedIn(stored) === null ? stored : await readOffloaded(stored).catch(() => stored);
      const change = this.#changeOf({ id, type, version, queue, payload }, gates, units, null, () => unusable++);
      if (change !== null) changes.push(change);
    }
    const { changed, busy: left } = await writeGates(this.db, portion, this.#taker, changes, this.#tries >= MOST_TRIES);
    const isAgain = left !== null && left > 0 && this.#tries < MOST_TRIES;
    this.#tries = isAgain ? this.#tries + 1 : 0;
    if (isAgain || changed === null) return { types, looked: 0, changed: changed ?? 0, unusable: 0, state: 'busy' };
    if (upto === null) this.#setChanging(busy);
    return { types, looked: portion.looked ?? 0, changed, unusable, state: upto === null ? 'done' : 'going' };
  }

  /** null: its gates are those, or another version is needed to tell. */
  #changeOf(
    run: Stored & Pick<ClaimedRun, 'id' | 'type'>,
    gates: readonly string[] | null,
    units: readonly number[] | null,
    fence: number | null,
    onUnusable = (): void => {},
  ): GateChange | null {
    const contract = this.#contractOf.get(run.type)!;
    if (run.version > contract.version) return null;
    const { made, isWhole } = gatesAnew(contract, run);
    if (!isWhole) onUnusable();
    // whoever cannot read it calls no handler
    if (!isWhole && made === null && fence !== null) return null;
    const change = { id: run.id, type: run.type, fence, gates: made?.gates ?? null, units: made?.units ?? null };
    const isSame = sameItems(change.gates, gates) && (fence !== null || sameItems(change.units, units));
    return isSame ? null : change;
  }

  #definitionsOf(changes: readonly GateChange[]): readonly FlowDefinition[] {
    return this.#definitions.filter(({ type }) => changes.some((change) => change.type === type));
  }

  #setChanging(types: readonly string[]): void {
    const isOpening = [...this.#changing].some((type) => !types.includes(type));
    this.#changing = new Set(types);
    this.#narrowed = null;
    if (isOpening) this.onOpened();
  }
}

/** By id, as everybody locks rows. */
const inOrder = (changes: readonly GateChange[]): readonly GateChange[] =>
  changes.toSorted((a, b) => Number(a.id) - Number(b.id));

const sameItems = <T>(a: readonly T[] | null, b: readonly T[] | null): boolean =>
  a === null || b === null ? a === b : a.length === b.length && a.every((item, place) => item === b[place]);
