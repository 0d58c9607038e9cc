import { texts } from '../texts/texts.js';
import { CopyButton } from './copy-button.js';

/** Lines to copy, where something is empty that they would fill. */
export function CopyableLines({ text }: { readonly text: string }) {
  return (
    <div className="relative mt-3">
      <pre
        tabIndex={0}
        className="overflow-x-auto rounded-md border border-line bg-sunken p-3 pr-12 font-mono text-xs text-ink"
      >
        {text}
      </pre>
      <div className="absolute top-1 right-1">
        <CopyButton text={text} label={texts.copy.copy} />
      </div>
    </div>
  );
}
