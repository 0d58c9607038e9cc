import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.js';
import { KeyboardIcon, SearchIcon } from '../ui/icons.js';
import { KeyHint } from '../ui/key-hint.js';
import { Mark } from './mark.js';
import { Screens } from './screens.js';
import { SettingsMenu } from './settings-menu.js';

interface SideBarProps {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

/** The screens: at the side, and on a phone below a button at the top. */
export function SideBar({ onPalette, onKeys }: SideBarProps) {
  return (
    <header className="sticky top-0 z-20 flex shrink-0 border-line bg-canvas max-md:h-12 max-md:items-center max-md:gap-1 max-md:border-b max-md:px-2 md:h-dvh md:w-50 md:flex-col md:overflow-y-auto md:border-r md:px-3 md:py-3">
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
      <Link to="/" aria-label={texts.app.name} className="flex items-center gap-2 px-2 max-md:py-2.5 md:mb-4">
        <Mark />
        <span className="text-[0.9375rem] font-semibold tracking-tight max-md:sr-only">{texts.app.name}</span>
      </Link>
      <PaletteButton onPalette={onPalette} className="px-2 max-md:hidden md:mb-4" />
      <Screens />
      {/* a second one, because the keys go through a page in the order in which it is written */}
      <PaletteButton onPalette={onPalette} className="size-10! justify-center max-md:ml-auto md:hidden" />
      <div className="flex shrink-0 items-center gap-0.5 md:mt-auto">
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

function PaletteButton({ onPalette, className }: { readonly onPalette: () => void; readonly className: string }) {
  return (
    <button
      type="button"
      onClick={onPalette}
      className={`flex h-8 shrink-0 items-center gap-2 rounded-md border border-line bg-surface text-sm text-faint hover:border-line-strong ${className}`}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <SearchIcon />
      <span className="flex-1 text-left max-md:sr-only">{texts.palette.label}</span>
      <span className="max-md:hidden" aria-hidden="true">
        <KeyHint keys="⌘ K" />
      </span>
    </button>
  );
}
