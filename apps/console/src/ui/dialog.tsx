import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { classNames } from './class-names.js';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The title is for screen readers alone. */
  readonly isTitleHidden?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A window over the page, which gives the focus back to where it was. */
export function Dialog({ isOpen, onClose, title, isTitleHidden = false, className, children }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/30 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          data-window=""
          className={classNames(
            'fixed top-[12vh] left-1/2 z-50 max-h-[76vh] w-[min(34rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-raised outline-none',
            className,
          )}
        >
          <Base.Title className={isTitleHidden ? 'sr-only' : 'mb-2 text-base font-semibold'}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
