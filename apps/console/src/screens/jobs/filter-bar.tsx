import { type FilterError } from '@duework/filter';
import { parseFilter } from '../../parse-filter.js';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useShortcuts } from '../../shell/shortcuts.js';
import { texts } from '../../texts/texts.js';
import { Choices, useChoices } from '../../ui/inputs/choices.js';
import { classNames } from '../../ui/class-names.js';
import { CloseIcon, SearchIcon } from '../../ui/icons.js';
import { KeyHint } from '../../ui/key-hint.js';
import { findCompletion } from './find-completion.js';
import { FilterErrors } from './filter-errors.js';
import { listSuggestions } from './list-suggestions.js';
import { MarkedText } from './marked-text.js';
import { useVocabulary } from './use-vocabulary.js';

interface FilterBarProps {
  /** The filter that the page shows. */
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
}

/** One line for every filter: what is typed is completed, and what is wrong is marked where it is. */
export function FilterBar({ filter, onFilter }: FilterBarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(filter);
  const [caret, setCaret] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const [isTried, setTried] = useState(false);
  useEffect(() => setText(filter), [filter]);
  useShortcuts([{ keys: '/', words: texts.keys.search, group: 'here', run: () => input.current?.select() }]);

  const vocabulary = useVocabulary(isOpen);
  const { asked } = vocabulary;
  const completion = isOpen ? findCompletion(text, caret) : null;
  const suggestions = completion === null ? [] : listSuggestions(completion, text, vocabulary);
  // what is being typed cannot be wrong yet
  const errors = errorsOf(text).filter(({ from, to }) => isTried || !isOpen || caret < from || caret > to);

  function write(next: string, at: number): void {
    setText(next);
    setCaret(at);
    setTried(false);
    requestAnimationFrame(() => input.current?.setSelectionRange(at, at));
  }
  function accept(index: number): void {
    const { insert, isOpen: goesOn } = suggestions[index]!;
    const { from, to } = completion!;
    const rest = text.slice(to).trimStart();
    // the colon of a field whose name is corrected is there already
    const added = !goesOn ? `${insert} ` : rest.startsWith(':') ? insert.replace(/:$/, '') : insert;
    write(text.slice(0, from) + added + rest, from + added.length);
    choices.select(-1);
  }
  function submit(next: string): void {
    setTried(true);
    if (errorsOf(next).length > 0) return;
    setOpen(false);
    onFilter(next.trim());
  }
  const choices = useChoices(suggestions.length, accept, -1);

  function onKeyDown(event: KeyboardEvent): void {
    choices.inputProps.onKeyDown(event);
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') submit(text);
    else if (event.key === 'Escape') {
      event.preventDefault();
      if (isOpen && suggestions.length > 0) setOpen(false);
      else input.current?.blur();
    }
  }

  return (
    <search className="block">
      <div
        className={classNames(
          'relative flex items-center gap-2 rounded-lg border bg-surface pr-1.5 pl-3 focus-within:border-accent focus-within:ring-2 focus-within:ring-accent-wash',
          errors.length > 0 ? 'border-dead' : 'border-line-strong',
        )}
      >
        <SearchIcon className="shrink-0 text-faint" />
        <div className="relative min-w-0 flex-1">
          <MarkedText text={text} errors={errors} input={input} />
          <input
            ref={input}
            {...choices.inputProps}
            aria-expanded={isOpen && suggestions.length > 0}
            aria-label={texts.jobs.search}
            aria-invalid={errors.length > 0}
            aria-describedby={errors.length > 0 ? 'filter-errors' : undefined}
            aria-keyshortcuts="/"
            value={text}
            placeholder={asked === null ? texts.jobs.placeholder : texts.jobs.askedOnly(asked)}
            onChange={({ target }) => {
              setText(target.value);
              setCaret(target.selectionStart ?? target.value.length);
              setTried(false);
              setOpen(true);
              // while a word is typed the first suggestion is what Enter takes
              choices.select(/[\s:]$/.test(target.value) || target.value === '' ? -1 : 0);
            }}
            onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
            onFocus={() => {
              setOpen(true);
              choices.select(-1);
            }}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            className="relative h-9 w-full bg-transparent font-mono text-sm outline-none placeholder:text-faint max-md:h-11 max-md:text-base"
          />
        </div>
        {text !== '' && (
          <button
            type="button"
            aria-label={texts.jobs.clear}
            title={texts.jobs.clear}
            onClick={() => {
              write('', 0);
              onFilter('');
              input.current?.focus();
            }}
            className="rounded p-1.5 text-faint hover:bg-sunken hover:text-ink"
          >
            <CloseIcon />
          </button>
        )}
        <span aria-hidden="true" className="pr-1 max-md:hidden">
          <KeyHint keys={isOpen ? '↵' : '/'} />
        </span>
        {isOpen && suggestions.length > 0 && (
          <Choices
            {...choices.listProps}
            label={texts.jobs.suggestions}
            className="absolute top-full left-0 z-30 mt-1 max-h-80 w-full max-w-xl overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-raised"
          >
            {suggestions.map(({ insert, words }) => ({
              id: insert,
              content: (
                <>
                  <code className="font-mono whitespace-nowrap">{insert}</code>
                  <span className="truncate text-xs text-faint">{words}</span>
                </>
              ),
            }))}
          </Choices>
        )}
      </div>
      <FilterErrors errors={errors} text={text} onFix={(next) => (write(next, next.length), submit(next))} />
    </search>
  );
}

function errorsOf(text: string): readonly FilterError[] {
  const parsed = parseFilter(text);
  return parsed.isOk ? [] : parsed.errors;
}
