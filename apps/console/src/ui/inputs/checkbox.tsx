interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  /** Some of what it stands for is. */
  readonly isMixed?: boolean;
  readonly onChange: () => void;
}

/** A box of a table: the whole of its cell can be clicked. */
export function Checkbox({ label, isChecked, isMixed = false, onChange }: CheckboxProps) {
  return (
    <label className="absolute inset-0 flex items-center justify-center">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChecked}
        ref={(box) => {
          if (box !== null) box.indeterminate = isMixed;
        }}
        onChange={onChange}
        className="size-3.5 accent-accent pointer-coarse:size-5"
      />
    </label>
  );
}
