import { Link, useLocation } from '@tanstack/react-router';
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react';
import { texts } from '../texts/texts.js';
import { classNames } from '../ui/class-names.js';
import { ChevronIcon, MenuIcon } from '../ui/icons.js';
import { findScreen, useNavigation } from './navigation.js';

const ROW =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-soft hover:bg-sunken hover:text-ink max-md:h-12 max-md:px-3 max-md:text-[0.9375rem]';

/** The links to all screens. A phone has no room for them: there a button that names the screen unfolds them. */
export function Screens() {
  const [isOpen, open] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const navigation = useNavigation();
  const current = findScreen(path);

  function close(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen) return;
    open(false);
    button.current?.focus();
  }
  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) open(false);
  }
  function follow(): void {
    if (!isOpen) return;
    open(false);
    // the link goes away with the others
    document.getElementById('main')?.focus();
  }
  return (
    <div className="contents" onKeyDown={close} onBlur={onBlur}>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => open(!isOpen)}
        className="flex h-10 min-w-0 items-center gap-2 rounded-md px-2 text-[0.9375rem] font-medium hover:bg-sunken md:hidden"
      >
        <MenuIcon className="shrink-0 text-soft" />
        <span className="sr-only">{texts.app.main}: </span>
        <span className="truncate">{current?.words ?? texts.app.menu}</span>
        <ChevronIcon className={classNames('shrink-0 text-soft', isOpen ? '-rotate-90' : 'rotate-90')} />
      </button>
      {isOpen && <div className="fixed inset-0 top-12 bg-black/30 md:hidden" onPointerDown={() => open(false)} />}
      <nav
        id={id}
        aria-label={texts.app.main}
        className={classNames(
          'max-md:absolute max-md:inset-x-0 max-md:top-full max-md:grid max-md:grid-cols-2 max-md:gap-1 max-md:border-b max-md:border-line max-md:bg-canvas max-md:p-2 max-md:shadow-raised md:flex md:flex-1 md:flex-col md:gap-0.5',
          !isOpen && 'max-md:hidden',
        )}
      >
        {navigation.map(({ to, words, Icon }) => (
          <Link
            key={to}
            to={to}
            onClick={follow}
            className={ROW}
            activeProps={{ className: 'bg-accent-wash! text-ink! font-medium' }}
            activeOptions={{ includeSearch: false }}
          >
            <Icon className="shrink-0" />
            {words}
          </Link>
        ))}
      </nav>
    </div>
  );
}
