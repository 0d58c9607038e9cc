import { texts } from '../texts/texts.js';
import { CopyButton } from './copy-button.js';

/** Lines to copy, where something is empty that they would fill. Long ones scroll beside the button, not below it. */
export function CopyableLines({ text }: { readonly text: string }) {
  return (
    <div className="mt-3 flex items-start rounded-md border border-line bg-sunken">
      {/* what scrolls has to be scrolled by keys, too */}
      <pre tabIndex={0} className="min-w-0 flex-1 overflow-x-auto rounded-md p-3 font-mono text-xs text-ink">
        {text}
      </pre>
      <div className="shrink-0 p-1">
        <CopyButton text={text} label={texts.copy.copy} />
      </div>
    </div>
  );
}
