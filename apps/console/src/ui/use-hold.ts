import { useRef, useState, type FocusEvent, type PointerEvent, type RefObject } from 'react';

export interface Hold<E extends HTMLElement> {
  readonly isHeld: boolean;
  readonly holdProps: {
    readonly ref: RefObject<E | null>;
    readonly onPointerEnter: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: () => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

/** Whether a pointer or the focus is in an element: what is in it stays at its place for so long. */
export function useHold<E extends HTMLElement>(): Hold<E> {
  const ref = useRef<E>(null);
  const [isHeld, hold] = useState(false);
  return {
    isHeld,
    holdProps: {
      ref,
      // a finger is there and gone again
      onPointerEnter: ({ pointerType }) => pointerType === 'mouse' && hold(true),
      onPointerLeave: () => hold(ref.current?.contains(document.activeElement) ?? false),
      onFocus: () => hold(true),
      onBlur: ({ relatedTarget }) =>
        !ref.current?.contains(relatedTarget) && hold(ref.current?.matches(':hover') ?? false),
    },
  };
}
