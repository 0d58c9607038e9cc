import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { CloseIcon } from './icons.js';

/** Says for some seconds that something was done; screen readers are told, too. */
export const useToasts = Toast.useToastManager;

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={6_000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-80 flex-col gap-2 outline-none max-md:inset-x-3 max-md:w-auto">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = useToasts();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="flex items-start gap-2 rounded-lg border border-line bg-raised p-3 shadow-raised transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <div className="min-w-0 flex-1">
        <Toast.Title className="font-medium" />
        <Toast.Description className="text-soft" />
      </div>
      <Toast.Close aria-label={texts.app.close} className="rounded p-0.5 text-soft hover:text-ink">
        <CloseIcon />
      </Toast.Close>
    </Toast.Root>
  ));
}
