import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { formatCount } from '../time/format-count.js';
import { Button } from '../ui/inputs/button.js';
import { Menu, MenuItem } from '../ui/inputs/menu.js';
import { VERBS, type Verb } from './bulk-choice.js';
import { BulkDialog } from './bulk-dialog.js';
import { MAX_SELECTED } from './filter-of-jobs.js';
import type { Selection } from './use-selection.js';

const words = texts.bulk;
const FIRST: readonly Verb[] = ['retry', 'cancel'];

interface SelectionBarProps {
  readonly selection: Selection;
  /** How many fit the filter, as people write it; undefined: that is not known. */
  readonly count: string | undefined;
}

/** In the place of the row above a table while something is selected: what can be done to it. */
export function SelectionBar({ selection, count }: SelectionBarProps) {
  const [verb, ask] = useState<Verb | null>(null);
  return (
    <div
      role="toolbar"
      aria-label={words.bar}
      className="flex min-h-7 w-full flex-wrap items-center gap-x-3 gap-y-1 pointer-coarse:min-h-10"
    >
      <p role="status" className="text-sm font-medium">
        {selection.isAll ? words.allSelected(count ?? '') : words.selected(formatCount(selection.jobs.size))}
        {selection.isFull && <span className="font-normal text-soft"> · {words.full(MAX_SELECTED)}</span>}
      </p>
      {!selection.isAll && (
        <Button kind="quiet" className="text-accent!" onClick={selection.selectAll}>
          {count === undefined ? words.allUncounted : words.all(count)}
        </Button>
      )}
      <div className="flex items-center gap-1.5">
        {FIRST.map((one) => (
          <Button key={one} onClick={() => ask(one)}>
            {words.verbs[one]}
          </Button>
        ))}
        <Menu label={words.more}>
          {VERBS.filter((one) => !FIRST.includes(one)).map((one) => (
            <MenuItem key={one} onSelect={() => ask(one)}>
              {words.verbs[one]}
            </MenuItem>
          ))}
        </Menu>
      </div>
      <Button kind="quiet" className="ml-auto" onClick={selection.clear}>
        {words.clear}
      </Button>
      {verb !== null && (
        <BulkDialog verb={verb} filter={selection.filter} onClose={() => ask(null)} onBegun={selection.clear} />
      )}
    </div>
  );
}
