import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { classNames } from '../class-names.js';

export interface ChoicesState {
  readonly selected: number;
  readonly select: (index: number) => void;
  /** For the input that the list belongs to. */
  readonly inputProps: {
    readonly role: 'combobox';
    readonly 'aria-expanded': boolean;
    readonly 'aria-controls': string;
    readonly 'aria-autocomplete': 'list';
    readonly 'aria-activedescendant': string | undefined;
    readonly autoComplete: 'off';
    readonly autoCapitalize: 'off';
    readonly spellCheck: false;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
  readonly listProps: {
    readonly listId: string;
    readonly selected: number;
    readonly onChoose: (index: number) => void;
    readonly onSelect: (index: number) => void;
  };
}

/**
 * The keys of an input with a list of choices below it: the focus stays in the input, and arrows go through the list
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). `-1`: none is selected, and Enter belongs to the input.
 */
export function useChoices(count: number, onChoose: (index: number) => void, first = 0): ChoicesState {
  const listId = useId();
  const [wanted, select] = useState(first);
  const selected = Math.min(wanted, count - 1);
  const go = (event: KeyboardEvent, to: number): void => {
    event.preventDefault();
    select(to);
  };
  return {
    selected,
    select,
    inputProps: {
      role: 'combobox',
      'aria-expanded': count > 0,
      'aria-controls': listId,
      'aria-autocomplete': 'list',
      'aria-activedescendant': selected >= 0 && count > 0 ? `${listId}-${selected}` : undefined,
      autoComplete: 'off',
      autoCapitalize: 'off',
      spellCheck: false,
      onKeyDown(event) {
        if (count === 0 || event.nativeEvent.isComposing) return;
        if (event.key === 'ArrowDown') go(event, selected + 1 >= count ? 0 : selected + 1);
        else if (event.key === 'ArrowUp') go(event, selected <= 0 ? count - 1 : selected - 1);
        else if ((event.key === 'Enter' || event.key === 'Tab') && selected >= 0 && !event.shiftKey) {
          event.preventDefault();
          onChoose(selected);
        }
      },
    },
    listProps: { listId, selected, onChoose, onSelect: select },
  };
}

interface ChoicesProps {
  readonly listId: string;
  readonly selected: number;
  readonly onChoose: (index: number) => void;
  readonly onSelect: (index: number) => void;
  readonly label: string;
  readonly className?: string;
  readonly children: readonly { readonly id: string; readonly content: ReactNode }[];
}

export function Choices({ listId, selected, onChoose, onSelect, label, className, children }: ChoicesProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <ul ref={list} id={listId} role="listbox" aria-label={label} className={className}>
      {children.map(({ id, content }, index) => (
        <li
          key={id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === selected}
          // the input keeps the focus
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => index !== selected && onSelect(index)}
          onClick={() => onChoose(index)}
          className={classNames(
            'flex min-h-8 items-center gap-3 rounded-md px-2.5 py-1 text-sm pointer-coarse:min-h-11',
            index === selected && 'bg-accent-wash',
          )}
        >
          {content}
        </li>
      ))}
    </ul>
  );
}
