import { type Body, type LeftOut } from '../ask-shard.js';
import { type PagedList, type PageOfShard, startOf, takePage } from '../list-pages.js';
import { encodePlaces, type Places } from '../pages-cursor.js';
import type { ShardProblem } from '../shard-gate.js';

/** The first page of one shard, as its stream has told it. */
interface Part {
  readonly revision: string;
  readonly ids: readonly string[];
  readonly jobs: ReadonlyMap<string, Body>;
  readonly nextCursor: string | null;
  readonly complete: boolean;
  readonly hint: string | null;
}

export interface MergedEvent {
  readonly event: 'page' | 'change';
  readonly id: string;
  readonly data: Body;
}

/** The cursor of a shard behind so many rows of its first page. */
export type FindBehind = (shard: string, row: Body, count: number) => Promise<string | null>;

/**
 * The first page of a filter over several shards, put together from those of each. Its events are as those of one database:
 * first all of it, then the jobs that are new on it or have changed. A shard that does not answer is left out and named.
 */
export class MergedPage {
  readonly #parts = new Map<string, Part>();
  readonly #problems = new Map<string, ShardProblem>();
  #told: ReadonlyMap<string, string> | null = null;
  #position = '';

  constructor(
    private readonly names: readonly string[],
    private readonly list: PagedList,
    private readonly findBehind: FindBehind,
  ) {}

  /** Whether each shard has told its page, or does not answer. */
  get isWhole(): boolean {
    return this.names.every((name) => this.isKnown(name));
  }

  isKnown(shard: string): boolean {
    return this.#parts.has(shard) || this.#problems.has(shard);
  }

  get problems(): readonly LeftOut[] {
    return this.names.flatMap((shard) => {
      const problem = this.#problems.get(shard);
      return problem === undefined ? [] : [{ shard, problem }];
    });
  }

  setPage(shard: string, revision: string, { ids, jobs, nextCursor, complete, hint }: Body): void {
    const known = this.#parts.get(shard)?.jobs ?? new Map<string, Body>();
    const told = new Map((jobs as Body[]).map((job) => [job['id'] as string, job]));
    const own = ids as readonly string[];
    this.#problems.delete(shard);
    this.#parts.set(shard, {
      revision,
      ids: own,
      jobs: new Map(own.map((id) => [id, (told.get(id) ?? known.get(id))!])),
      nextCursor: nextCursor as string | null,
      complete: complete as boolean,
      hint: hint as string | null,
    });
  }

  /** null: it answers again; one that has told nothing yet is still missing. */
  setProblem(shard: string, problem: ShardProblem | null): void {
    if (problem !== null) this.#problems.set(shard, problem);
    else if (this.#parts.has(shard)) this.#problems.delete(shard);
  }

  /** What is to be told now; null: nothing has changed since, or `seen` is where this page is. */
  async next(limit: number, seen: string | null): Promise<MergedEvent | null> {
    const id = this.#positionNow();
    if (id === this.#position || !this.isWhole) return null;
    const parts = this.names.filter((name) => this.#parts.has(name) && !this.#problems.has(name));
    const problems = this.problems;
    const pages = parts.map((shard): PageOfShard => {
      const { ids, jobs, nextCursor } = this.#parts.get(shard)!;
      return { shard, rows: ids.map((one) => jobs.get(one)!), hasMore: nextCursor !== null, next: nextCursor };
    });
    const cut = parts.map((name) => this.#parts.get(name)!).find(({ complete }) => !complete);
    const { rows, places } = await takePage(this.list, pages, limit, startOf(this.names), this.findBehind);
    const before = this.#told;
    const texts = new Map(rows.map((row) => [row['id'] as string, JSON.stringify(row)]));
    this.#told = texts;
    this.#position = id;
    if (before === null && id === seen) return null;
    const jobs =
      before === null ? rows : rows.filter((row) => before.get(row['id'] as string) !== texts.get(row['id'] as string));
    const data = {
      ids: [...texts.keys()],
      jobs,
      nextCursor: this.#cursorAt(places, problems),
      complete: cut === undefined,
      hint: cut?.hint ?? null,
      problems,
    };
    return { event: before === null ? 'page' : 'change', id, data };
  }

  /** Where the list goes on; null: nothing follows in the shards that answer. */
  #cursorAt(places: Places, problems: readonly LeftOut[]): string | null {
    const away = new Set(problems.map(({ shard }) => shard));
    const isOver = [...places].every(([shard, at]) => at === null || away.has(shard));
    return isOver ? null : encodePlaces(this.list.operationId, { isBack: false, places });
  }

  /** Names what is known of each shard: `a.<revision>~b.too_slow`. */
  #positionNow(): string {
    return this.names
      .map((shard) => `${shard}.${this.#problems.get(shard) ?? this.#parts.get(shard)?.revision ?? ''}`)
      .join('~');
  }
}
