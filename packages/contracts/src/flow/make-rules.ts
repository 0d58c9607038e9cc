import { ContractError } from '../contract-error.js';
import { parseDuration, type Duration } from '../duration.js';
import { checkFlowPath, type PathOwner } from './check-flow-path.js';
import type {
  BreakerOptions,
  FlowBy,
  FlowOptions,
  FlowUnits,
  LimitOptions,
  OrderOptions,
  RateOptions,
  TenantOptions,
} from './flow-options.js';
import { MAX_UNITS, type DeclaredRule, type FlowKind, type FlowRule, type FlowRules } from './flow-rule.js';

/** A run stands in line at each of its gates. */
const MAX_RULES = 10;

/**
 * The rules of a contract in the order in which a run asks them; null: it has none. Throws `ContractError`:
 * `invalid_job_option`, `invalid_duration`, and `flow_path_unknown` and `flow_path_sensitive` for a path that tells nothing
 * or what nobody may see.
 */
export function makeRules<T>(owner: PathOwner, options: FlowOptions<T>): FlowRules | null {
  const make = new RuleMaker(owner);
  const rules = [
    ...listOf(options.order, 'order', owner).map((one) => make.order(unfold<T, OrderOptions<T>>(one))),
    ...listOf(options.tenant, 'tenant', owner).map((one) => make.tenant(unfold<T, TenantOptions<T>>(one))),
    ...listOf(options.breaker, 'breaker', owner).map((one) => make.breaker(one)),
    ...listOf(options.limits, 'limits', owner).map((one) => make.limit(one)),
    ...listOf(options.rate, 'rate', owner).map((one) => make.rate(one)),
  ];
  make.check('the number of flow rules', rules.length, rules.length <= MAX_RULES, `at most ${MAX_RULES}`);
  for (const { name } of rules)
    make.check(
      'limits, rate',
      name,
      rules.filter((rule) => rule.name === name).length === 1,
      'a list of rules with names of their own: give name to one of them',
    );
  return rules.length === 0 ? null : Object.freeze(rules.map((rule) => Object.freeze(rule)));
}

class RuleMaker {
  constructor(private readonly owner: PathOwner) {}

  tenant<T>({ by, weight = 1 }: TenantOptions<T>): FlowRule {
    this.checkBy('tenant', by);
    // tenants take turns in their queue, whatever their types
    return {
      ...this.rule('tenant', 'tenant', { by, units: weight, unitsOption: 'weight' }, {}),
      name: `tenant/${this.owner.queue}`,
    };
  }

  order<T>({ name, by, onFailure = 'wait', onDead = 'let_go' }: OrderOptions<T>): FlowRule {
    this.checkBy('order', by);
    this.check('order.onFailure', onFailure, ['wait', 'step_over'].includes(onFailure), '"wait" or "step_over"');
    this.check('order.onDead', onDead, ['let_go', 'block'].includes(onDead), '"let_go" or "block"');
    return this.rule('order', 'order', { name, by }, { onFailure, onDead });
  }

  breaker<T>({ name, by, share, of, pause }: BreakerOptions<T>): FlowRule {
    this.check('breaker.share', share, typeof share === 'number' && share > 0 && share <= 1, 'above 0 and up to 1');
    this.check('breaker.of', of, isWholeUpTo(of, 10_000) && of >= 2, 'a whole number from 2 to 10,000');
    const pauseMs = this.duration('breaker.pause', pause);
    return this.rule('breaker', 'breaker', { name, by }, { share, of, pauseMs });
  }

  limit<T>({ name, by, max, cost = 1 }: LimitOptions<T>): FlowRule {
    this.checkMax('limits.max', max);
    this.checkFits('limits.cost', cost, max, 'max');
    return this.rule('limit', 'limits', { name, by, units: cost, unitsOption: 'cost' }, { max });
  }

  rate<T>({ name, by, max, per, burst, cost = 1 }: RateOptions<T>): FlowRule {
    this.checkMax('rate.max', max);
    const perMs = this.duration('rate.per', per);
    const most = burst ?? Math.max(1, Math.floor(max / 10), typeof cost === 'number' ? Math.min(cost, max) : 1);
    this.check('rate.burst', burst, isWholeUpTo(most, max), 'a whole number from 1 to max');
    this.checkFits('rate.cost', cost, most, 'burst');
    return this.rule('rate', 'rate', { name, by, units: cost, unitsOption: 'cost' }, { max, perMs, burst: most });
  }

  private rule<T>(kind: FlowKind, option: string, given: GivenRule<T>, declared: DeclaredRule): FlowRule {
    const { name, by, units = 1, unitsOption = 'cost' } = given;
    this.check(
      `${option}.name`,
      name,
      name === undefined || (typeof name === 'string' && /^[a-zA-Z0-9][\w.-]{0,62}$/.test(name)),
      'letters, digits, "_", "-" and ".", at most 63 characters',
    );
    const suffix = by === undefined ? '' : typeof by === 'function' ? '.by' : `.${by}`;
    return {
      name: `${kind}/${name ?? `${this.owner.type}${suffix}`}`,
      kind,
      declared,
      by:
        by === undefined
          ? null
          : typeof by === 'function'
            ? by
            : checkFlowPath(this.owner, `${option}.by`, by, 'value'),
      units: this.units(`${option}.${unitsOption}`, units),
    } as FlowRule;
  }

  private units<T>(option: string, units: FlowUnits<T>): FlowUnits<T> | readonly string[] {
    if (typeof units === 'string') return checkFlowPath(this.owner, option, units, 'number');
    this.check(
      option,
      units,
      typeof units === 'function' || isWholeUpTo(units, MAX_UNITS),
      'a whole number from 1 to 1,000,000, the path of one, or a function',
    );
    return units;
  }

  check(option: string, value: unknown, isValid: boolean, expected: string): void {
    if (!isValid)
      throw new ContractError(
        'invalid_job_option',
        `Job ${this.owner.type}: ${option} must be ${expected}, not ${JSON.stringify(value)}.`,
      );
  }

  private checkBy(option: string, by: unknown): void {
    const isGiven = typeof by === 'string' || typeof by === 'function';
    this.check(option, by, isGiven, 'the path of a value such as "accountId", or a function of the payload');
  }

  private checkMax(option: string, max: number): void {
    this.check(option, max, isWholeUpTo(max, MAX_UNITS), 'a whole number from 1 to 1,000,000');
  }

  /** A run that takes more than there is would wait for ever. */
  private checkFits(option: string, cost: unknown, most: number, of: string): void {
    this.check(option, cost, typeof cost !== 'number' || !(cost > most), `at most its ${of}, ${most}`);
  }

  private duration(option: string, given: Duration): number {
    const ms = parseDuration(given);
    this.check(option, given, ms >= 1, 'at least "1ms"');
    return ms;
  }
}

interface GivenRule<T> {
  readonly name?: string | undefined;
  readonly by?: FlowBy<T> | undefined;
  readonly units?: FlowUnits<T>;
  readonly unitsOption?: string;
}

/** What is given once, or as a list; a text, a function or an object each. */
function listOf<TItem>(
  given: TItem | readonly TItem[] | undefined,
  option: string,
  { type }: PathOwner,
): readonly NonNullable<TItem>[] {
  if (given === undefined) return [];
  const list = (Array.isArray(given) ? given : [given]) as readonly NonNullable<TItem>[];
  for (const one of list)
    if (
      one === null ||
      !['object', 'string', 'function'].includes(typeof one) ||
      (option === 'limits' && !Array.isArray(given))
    )
      throw new ContractError(
        'invalid_job_option',
        `Job ${type}: ${option} must be ${option === 'limits' ? 'a list such as [{ max: 5 }]' : 'a rule'}, not ${JSON.stringify(given)}.`,
      );
  return list;
}

const unfold = <T, TOptions extends { readonly by: FlowBy<T> }>(given: FlowBy<T> | TOptions): TOptions =>
  (typeof given === 'object' ? given : { by: given }) as TOptions;

const isWholeUpTo = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
