import { CSPProvider } from '@base-ui/react/csp-provider';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { useSession } from '../session/session-store.js';
import { findRefusal } from '../session/use-refusal.js';
import { SignIn } from '../session/sign-in.js';
import { usePrincipal } from '../session/use-principal.js';
import { texts } from '../texts/texts.js';
import { ProblemState } from '../ui/problem-state.js';
import { Toasts } from '../ui/toasts.js';
import { Arrival } from './arrival.js';
import { CommandPalette } from './command-palette.js';
import { ConnectionBar } from './connection-bar.js';
import { KeyList } from './key-list.js';
import { Refused } from './refused.js';
import { findScreen, useNavigation } from './navigation.js';
import { useShortcuts } from './shortcuts.js';
import { SideBar } from './side-bar.js';
import { useKeptFocus } from './use-kept-focus.js';
import { usePaletteKey } from './use-palette-key.js';

/** What is around every screen. Without somebody who may read there is no screen, and the sign-in is in its place. */
export function Shell() {
  const { state } = useSession();
  const principal = usePrincipal();
  const navigation = useNavigation();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const asks = findScreen(path)?.asks ?? 'showPrincipal';
  const refusal = findRefusal(principal.data, asks);
  const [isPaletteOpen, openPalette] = useState(false);
  const [isListOpen, openList] = useState(false);
  const navigate = useNavigate();
  useKeptFocus();
  usePaletteKey(() => openPalette(true));
  useShortcuts([
    { keys: '?', words: texts.keys.help, group: 'everywhere', run: () => openList(true) },
    ...navigation.map(({ to, words, key }) => ({
      keys: `g ${key}`,
      words: texts.keys.go(words),
      group: 'everywhere' as const,
      run: () => void navigate({ to }),
    })),
  ]);

  const isLacking = principal.error instanceof ApiError && principal.error.code === 'missing_scope';
  if (state !== 'open' || isLacking)
    return <SignIn {...(isLacking ? { lacking: (principal.error as ApiError).message } : {})} />;
  return (
    <CSPProvider disableStyleElements>
      <Toasts>
        <div className="flex min-h-dvh max-md:flex-col">
          <SideBar onPalette={() => openPalette(true)} onKeys={() => openList(true)} />
          <div className="flex min-w-0 flex-1 flex-col">
            <ConnectionBar />
            <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
              {principal.data !== undefined ? (
                refusal !== null ? (
                  <Refused why={refusal} isForOthers={findRefusal({ ...principal.data, refuses: [] }, asks) === null} />
                ) : (
                  <Suspense>
                    <Outlet />
                  </Suspense>
                )
              ) : (
                principal.error !== null && (
                  <ProblemState error={principal.error} onRetry={() => void principal.refetch()} />
                )
              )}
            </main>
          </div>
        </div>
        <Arrival />
        <CommandPalette isOpen={isPaletteOpen} onClose={() => openPalette(false)} />
        <KeyList isOpen={isListOpen} onClose={() => openList(false)} />
      </Toasts>
    </CSPProvider>
  );
}
