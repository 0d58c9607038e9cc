import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { isRefused, readRuleName, useFlowKeys, type FlowRule } from '../../api/flow-queries.js';
import { useMay } from '../../session/use-principal.js';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { classNames } from '../../ui/class-names.js';
import { Button } from '../../ui/inputs/button.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { SearchField, focusSearch } from '../../ui/inputs/search-field.js';
import { ProblemState } from '../../ui/problem-state.js';
import { GateDialog, type AskedGate } from './gate-dialog.js';
import { KeysTable } from './keys-table.js';

const words = texts.flow;
/** From here on those at which nothing goes on are left out unless somebody asks for them. */
const MANY = 50;

/** The keys of a rule, page by page: who holds each, and who waits. */
export function Keys({ rule }: { readonly rule: FlowRule }) {
  const { value, keys: which, cursor } = useSearch({ from: '/flow/$kind/$name' });
  const navigate = useNavigate({ from: '/flow/$kind/$name' });
  const isBusy = which === undefined ? rule.keys > MANY : which === 'busy';
  const page = useFlowKeys(readRuleName(rule.name), { value, isBusy, cursor });
  const mayOperate = useMay('operate');
  const [asked, ask] = useState<AskedGate | null>(null);
  useShortcuts([{ keys: '/', words: texts.keys.search, group: 'here', run: focusSearch }]);
  const go = (search: { value?: string | undefined; keys?: string | undefined; cursor?: string | undefined }): void =>
    void navigate({
      search: { value: search.value || undefined, keys: search.keys, cursor: search.cursor },
      replace: true,
      resetScroll: false,
    });
  const isOfMany = rule.keys > MANY || which !== undefined || value !== undefined;
  return (
    <section className="mt-5">
      {/* its place is there before anybody knows how many there are */}
      <div className="mb-1.5 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
        <h2 className="text-sm font-semibold">{words.keysTitle}</h2>
        {isOfMany && (
          <>
            <OptionRow
              label={words.which}
              value={isBusy ? 'busy' : 'all'}
              options={[
                { id: 'busy', content: words.busy },
                { id: 'all', content: words.every },
              ]}
              onChange={(keys) => go({ value, keys })}
            />
            <SearchField
              label={words.findKey}
              placeholder={words.findKeyHint}
              value={value ?? ''}
              maxLength={200}
              onText={(text) => go({ value: text, keys: which })}
              className="ml-auto max-md:ml-0 max-md:w-full"
            />
          </>
        )}
      </div>
      {page.data === undefined ? (
        page.isError &&
        (isRefused(page.error) ? (
          <Note>{words.withheld}</Note>
        ) : (
          <ProblemState error={page.error} onRetry={() => void page.refetch()} />
        ))
      ) : page.data.keys.length === 0 ? (
        <Note>{value !== undefined ? words.noKeysLike : isBusy ? words.noBusyKeys : words.noKeys}</Note>
      ) : (
        <div className={classNames(page.isPlaceholderData && 'opacity-60')}>
          <KeysTable rule={rule} keys={page.data.keys} onAsk={mayOperate ? ask : null} />
        </div>
      )}
      {(cursor !== undefined || (page.data?.nextCursor ?? null) !== null) && (
        <div className="flex gap-2 py-3">
          {cursor !== undefined && <Button onClick={() => go({ value, keys: which })}>{words.first}</Button>}
          <Button
            disabled={page.data === undefined || page.data.nextCursor === null}
            onClick={() => go({ value, keys: which, cursor: page.data!.nextCursor! })}
          >
            {words.next}
          </Button>
        </div>
      )}
      {asked !== null && <GateDialog {...asked} onClose={() => ask(null)} />}
    </section>
  );
}

const Note = ({ children }: { readonly children: string }) => (
  <p className="rounded-lg border border-line bg-surface px-3 py-3 text-soft">{children}</p>
);
