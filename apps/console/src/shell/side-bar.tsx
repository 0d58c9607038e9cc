import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.js';
import { KeyboardIcon, SearchIcon } from '../ui/icons.js';
import { KeyHint } from '../ui/key-hint.js';
import { Mark } from './mark.js';
import { navigation } from './navigation.js';
import { SettingsMenu } from './settings-menu.js';

interface SideBarProps {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

const ROW =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-soft hover:bg-sunken hover:text-ink max-md:h-10 max-md:px-3';

/** The screens: at the side, and on a phone as a row at the top. */
export function SideBar({ onPalette, onKeys }: SideBarProps) {
  return (
    <header className="z-20 flex shrink-0 border-line bg-canvas max-md:sticky max-md:top-0 max-md:h-12 max-md:items-center max-md:gap-1 max-md:border-b max-md:px-2 md:sticky md:top-0 md:h-dvh md:w-50 md:flex-col md:border-r md:px-3 md:py-3">
      <a
        href={`#${texts.app.skip}`}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-2"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {texts.app.skip}
      </a>
      <Link to="/" aria-label={texts.app.name} className="flex items-center gap-2 px-2 md:mb-4">
        <Mark />
        <span className="text-[0.9375rem] font-semibold tracking-tight max-md:sr-only">{texts.app.name}</span>
      </Link>
      <button
        type="button"
        onClick={onPalette}
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2 text-sm text-faint hover:border-line-strong max-md:order-2 max-md:ml-auto max-md:h-10 max-md:w-10 max-md:justify-center md:mb-4"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <SearchIcon />
        <span className="flex-1 text-left max-md:sr-only">{texts.palette.label}</span>
        <span className="max-md:hidden" aria-hidden="true">
          <KeyHint keys="⌘ K" />
        </span>
      </button>
      <nav aria-label={texts.app.main} className="flex min-w-0 max-md:overflow-x-auto md:flex-1 md:flex-col md:gap-0.5">
        {navigation.map(({ to, words, Icon }) => (
          <Link
            key={to}
            to={to}
            className={ROW}
            activeProps={{ className: 'bg-accent-wash! text-ink! font-medium' }}
            activeOptions={{ includeSearch: false }}
          >
            <Icon className="shrink-0" />
            {words}
          </Link>
        ))}
      </nav>
      <div className="flex shrink-0 items-center gap-0.5 max-md:order-3 md:mt-auto">
        <SettingsMenu />
        <button
          type="button"
          onClick={onKeys}
          aria-label={texts.keys.help}
          title={texts.keys.help}
          className="ml-auto flex size-8 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink max-md:hidden"
        >
          <KeyboardIcon />
        </button>
      </div>
    </header>
  );
}
