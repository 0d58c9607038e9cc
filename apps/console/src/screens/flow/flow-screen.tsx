import { useNavigate, useSearch } from '@tanstack/react-router';
import { RULE_KINDS, useFlowRules, type FlowRule } from '../../api/flow-queries.js';
import { useQueues } from '../../api/now-queries.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { snippets } from '../../texts/snippets.js';
import { texts } from '../../texts/texts.js';
import { CopyableLines } from '../../ui/copyable-lines.js';
import { Button } from '../../ui/inputs/button.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { SearchField, focusSearch } from '../../ui/inputs/search-field.js';
import { ProblemState, StateBox } from '../../ui/problem-state.js';
import { usePageTitle } from '../../ui/use-page-title.js';
import { RulesTable } from './rules-table.js';

const words = texts.flow;

/** The limits, rates, orders, tenants and breakers of all contracts: what holds, who has changed it, how many wait. */
export function FlowScreen() {
  const { kind, find = '' } = useSearch({ from: '/flow' });
  const navigate = useNavigate({ from: '/flow' });
  const { data, error, refetch } = useFlowRules();
  const pauses = useQueues().data?.queues.flatMap((queue) => queue.pauses) ?? [];
  usePageTitle(words.title);
  useShortcuts([{ keys: '/', words: texts.keys.search, group: 'here', run: focusSearch }]);
  const go = (search: { kind: typeof kind; find: string }): void =>
    void navigate({ search: { kind: search.kind, find: search.find || undefined }, replace: true });
  if (data === undefined) return error === null ? null : <ProblemState error={error} onRetry={() => void refetch()} />;
  const shown = data.rules.filter((rule) => (kind === undefined || rule.kind === kind) && fits(rule, find));
  return (
    <div className="flex min-h-full flex-col">
      <div className="sticky top-0 z-10 flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-canvas px-5 py-2 max-md:top-12 max-md:px-3">
        <h1 className="text-[0.9375rem] font-semibold tracking-tight">{words.title}</h1>
        <OptionRow
          label={words.quick}
          value={kind ?? 'all'}
          options={[
            { id: 'all', content: words.all },
            ...RULE_KINDS.map((id) => ({ id, content: <span title={words.kindWords[id]}>{words.kinds[id]}</span> })),
          ]}
          onChange={(id) => go({ kind: id === 'all' ? undefined : id, find })}
        />
        <SearchField
          label={words.search}
          placeholder={words.placeholder}
          value={find}
          onText={(text) => go({ kind, find: text })}
          className="ml-auto max-md:ml-0 max-md:w-full"
        />
      </div>
      {data.rules.length === 0 ? (
        <StateBox title={words.noneTitle}>
          <p>{words.noneHint}</p>
          <CopyableLines text={snippets.limitJob} />
        </StateBox>
      ) : shown.length === 0 ? (
        <StateBox title={words.noMatch}>
          <Button onClick={() => go({ kind: undefined, find: '' })}>{words.showAll}</Button>
        </StateBox>
      ) : (
        <RulesTable rules={shown} pauses={pauses} />
      )}
    </div>
  );
}

const fits = ({ name, types }: FlowRule, find: string): boolean =>
  [name, ...types].some((text) => text.toLowerCase().includes(find.trim().toLowerCase()));
