import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { buttonLook, type ButtonKind } from './button.js';
import { classNames } from '../class-names.js';
import { CheckIcon } from '../icons.js';

interface MenuProps {
  readonly label: string;
  /** What the trigger shows; default: the label. */
  readonly trigger?: ReactNode;
  readonly kind?: ButtonKind;
  readonly className?: string;
  readonly children: ReactNode;
}

const ITEM =
  'flex min-h-7 cursor-default items-center gap-2 rounded px-2 py-1 text-sm outline-none data-highlighted:bg-sunken pointer-coarse:min-h-10';

export function Menu({ label, trigger, kind, className, children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger className={classNames(buttonLook(kind), className)} aria-label={label} title={label}>
        {trigger ?? label}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup
            data-window=""
            className="max-h-[70vh] min-w-44 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-raised outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({ onSelect, children }: { readonly onSelect: () => void; readonly children: ReactNode }) {
  return (
    <Base.Item className={ITEM} onClick={onSelect}>
      {children}
    </Base.Item>
  );
}

interface MenuCheckProps {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ReactNode;
}

/** An item that is on or off; the menu stays open. */
export function MenuCheck({ isChecked, onChange, children }: MenuCheckProps) {
  return (
    <Base.CheckboxItem className={ITEM} checked={isChecked} onCheckedChange={onChange} closeOnClick={false}>
      <span className="w-4">
        <Base.CheckboxItemIndicator>
          <CheckIcon />
        </Base.CheckboxItemIndicator>
      </span>
      {children}
    </Base.CheckboxItem>
  );
}

interface MenuChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: Readonly<Record<T, string>>;
  readonly onChange: (value: T) => void;
}

/** One of several. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-0.5 text-2xs font-medium text-faint">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as T)}>
        {(Object.keys(options) as T[]).map((option) => (
          <Base.RadioItem key={option} value={option} className={ITEM} closeOnClick={false}>
            <span className="w-4">
              <Base.RadioItemIndicator>
                <CheckIcon />
              </Base.RadioItemIndicator>
            </span>
            {options[option]}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export const MenuLine = () => <Base.Separator className="my-1 h-px bg-line" />;
