/** Keys as they are on a keyboard. */
export function KeyHint({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split(' ').map((key, index) => (
        <kbd
          // eslint-disable-next-line react/no-array-index-key
          key={index}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-2xs text-soft"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
