interface RadioRowProps<T extends string> {
  readonly name: string;
  readonly legend: string;
  readonly options: readonly { readonly id: T; readonly text: string }[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
}

/** One of a few, all of them in view. */
export function RadioRow<T extends string>({ name, legend, options, chosen, onChoose }: RadioRowProps<T>) {
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 text-soft">{legend}</legend>
      <div className="flex flex-wrap gap-1.5">
        {options.map(({ id, text }) => (
          <label
            key={id}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line px-2.5 break-all has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-10"
          >
            <input type="radio" name={name} checked={chosen === id} onChange={() => onChoose(id)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
