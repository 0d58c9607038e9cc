import { texts } from '../texts/texts.js';
import { CopyButton } from './copy-button.js';

/** Lines to copy, as an empty state shows them. */
export function CopiedLines({ lines }: { readonly lines: string }) {
  return (
    <div className="relative mt-3">
      <pre
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-line bg-sunken p-3 pr-10 font-mono text-xs text-ink"
      >
        {lines}
      </pre>
      <div className="absolute top-1 right-1">
        <CopyButton text={lines} label={texts.copy.copy} />
      </div>
    </div>
  );
}
