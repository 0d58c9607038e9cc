import { Link, useParams, useRouter } from '@tanstack/react-router';
import { useFlowRules, type FlowRule } from '../../api/flow-queries.js';
import { useQueues } from '../../api/now-queries.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { Clock } from '../../ui/marks/clock.js';
import { Moment } from '../../ui/marks/moment.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { FlowStateBadge } from '../flow/flow-state.js';
import { judgeRule } from '../flow/judge-rule.js';
import { spellTerms } from '../flow/spell-terms.js';
import { Keys } from './keys.js';
import { RuleVerbs } from './rule-verbs.js';

const words = texts.flow;

/** One rule: what holds of it, who has changed it, and its keys with who holds them and who waits. */
export function FlowRuleScreen() {
  const { kind, name: rest } = useParams({ from: '/flow/$kind/$name' });
  const name = `${kind}/${rest}`;
  const { history } = useRouter();
  const { data, error, refetch } = useFlowRules();
  usePageTitle(`${name} · ${words.title}`);
  useShortcuts([{ keys: 'u', words: texts.keys.back, group: 'here', run: () => history.back() }]);
  if (data === undefined) return error !== null && <ProblemState error={error} onRetry={() => void refetch()} />;
  const rule = data.rules.find((one) => one.name === name);
  if (rule !== undefined) return <Shown rule={rule} />;
  return (
    <StateBox title={words.gone}>
      <p>{words.goneHint}</p>
      <Link
        to="/flow"
        search={{ kind: undefined, find: undefined }}
        className="linked mt-2 inline-flex min-h-6 items-center"
      >
        {words.back}
      </Link>
    </StateBox>
  );
}

function Shown({ rule }: { readonly rule: FlowRule }) {
  const { name, kind, keys, closed, closedUntil, terms } = rule;
  const pauses = useQueues().data?.queues.flatMap((queue) => queue.pauses) ?? [];
  return (
    <div className="mx-auto max-w-7xl px-6 py-5 max-md:px-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <FlowStateBadge state={judgeRule(rule, pauses)} isLarge />
        <h1 className="min-w-0 text-lg font-semibold tracking-tight break-all">{name}</h1>
        {closedUntil !== null && closed === keys && (
          <span className="text-soft">
            {words.until} <Clock at={closedUntil} />
          </span>
        )}
        <div className="ml-auto">
          <RuleVerbs rule={rule} />
        </div>
      </header>
      <div className="mt-3 max-w-4xl text-[0.9375rem] leading-6">
        <p>
          {words.kind[kind]}: {spellTerms(kind, terms, keys > 1)}
        </p>
        <p className="text-sm text-soft">
          <DeclaredBy types={rule.types} />
        </p>
        <Changed rule={rule} />
      </div>
      <Keys rule={rule} />
    </div>
  );
}

function DeclaredBy({ types }: { readonly types: readonly string[] }) {
  if (types.length === 0) return words.byNobody;
  return (
    <>
      {words.declaredBy}{' '}
      {types.map((type, index) => (
        <span key={type}>
          {index > 0 && ', '}
          <Link to="/contracts/$type" params={{ type }} search={{ version: undefined }} className="linked break-all">
            {type}
          </Link>
        </span>
      ))}
    </>
  );
}

function Changed({ rule: { kind, changed, changedBy, changedAt, declared } }: { readonly rule: FlowRule }) {
  if (changed === null) return null;
  return (
    <p className="mt-2 rounded-md bg-failed-wash px-3 py-1.5 text-sm text-failed">
      {words.changedSince(changedBy ?? words.somebody)}
      {changedAt !== null && (
        <>
          , <Moment at={changedAt} />
        </>
      )}
      {words.declaredIs(spellTerms(kind, declared))}
    </p>
  );
}
